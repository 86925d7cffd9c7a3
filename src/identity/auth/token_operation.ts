import { z } from "zod";
import { type Described, withRateLimits } from "../../http/openapi_operation.ts";
import { grants } from "./grants.ts";

const TokenRequestSchema = z.object({
  grant_type: z.enum([...grants.keys()]).optional().meta({
    description: "Required unless it is in the query.",
  }),
  client_id: z.string().optional().meta({ description: "Required unless sent by HTTP Basic." }),
  client_secret: z.string().optional().meta({ description: "Unless sent by HTTP Basic." }),
  code: z.string().optional().meta({ description: "For the grant `authorization_code`." }),
  redirect_uri: z.string().optional().meta({
    description: "For the grant `authorization_code`: that of the authorization request.",
  }),
  code_verifier: z.string().optional().meta({
    description: "For the grant `authorization_code`, when the request had a `code_challenge` (PKCE, S256).",
  }),
  username: z.string().optional().meta({
    description: "For the grant `password`: the user's e-mail address.",
  }),
  password: z.string().optional().meta({ description: "For the grant `password`." }),
  device_code: z.string().optional().meta({
    description:
      "For the device grants. The first step of the grant `device_code` has none, and returns one.",
  }),
  refresh_token: z.string().optional().meta({ description: "For the grant `refresh_token`." }),
}).meta({
  id: "TokenRequest",
  example: { grant_type: "client_credentials", client_id: "my-client", client_secret: "my-secret" },
});

const TokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.int().meta({ description: "Seconds." }),
  refresh_token: z.string().optional(),
}).meta({
  id: "TokenAnswer",
  example: {
    access_token: "Yk3v0m2ZC3vE1xk6mJXl0Yw4o8i1cYkq0m0b5n2h7sQ",
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: "r2h5mJ8cY1m9Jx0Zf6b3n7Qw4E5t6Y7u8I9o0P1a2S3",
  },
});

const DeviceCodes = z.object({
  verification_uri: z.string().meta({ description: "Where the user enters the code." }),
  user_code: z.int().meta({ description: "For the user to enter." }),
  device_code: z.string().meta({ description: "For the next calls of this grant." }),
  interval: z.int().meta({ description: "Seconds between two polls." }),
}).meta({
  id: "DeviceCodes",
  description: "The answer to the first step of the grant `device_code`.",
  example: {
    verification_uri: "https://crm.example.org/auth/device",
    user_code: 73914520,
    device_code: "Yk3v0m2ZC3vE1xk6mJXl0Yw4o8i1cYkq0m0b5n2h7sQ",
    interval: 5,
  },
});

const TokenError = z.object({ error: z.string(), error_description: z.string() }).meta({
  id: "TokenError",
  example: { error: "invalid_grant", error_description: "The user name or the password is wrong." },
});

export const refused = (description: string) => ({
  description,
  content: { "application/json": { schema: TokenError } },
});

export const tooManyCalls = refused(
  "`temporarily_unavailable`: too many failed attempts, or calls; wait for `Retry-After` seconds.",
);

/** For the OpenAPI document. */
export const tokenOperation: Described = withRateLimits({
  method: "post",
  path: "/auth/token",
  operationId: "issueToken",
  tags: ["Authentication"],
  summary: "Get an access token",
  description:
    "RFC 6749. The client's credentials come in the body or as HTTP Basic. The grant `device_code` has " +
    "two steps here: the first call returns the codes, later calls with `device_code` poll for the tokens. " +
    "The standard grant for devices (RFC 8628) begins at `POST /auth/device_authorization`.",
  security: [],
  request: {
    query: z.object({ grant_type: z.enum([...grants.keys()]).optional() }),
    body: {
      required: false,
      content: {
        "application/json": { schema: TokenRequestSchema },
        "application/x-www-form-urlencoded": { schema: TokenRequestSchema },
      },
    },
  },
  responses: {
    200: {
      description: "The tokens; for the first step of the grant `device_code` the codes.",
      content: {
        "application/json": { schema: z.union([TokenAnswer, DeviceCodes]).meta({ id: "TokenResponse" }) },
      },
    },
    400: refused(
      "`invalid_request`, `invalid_grant`, `unauthorized_client`, `unsupported_grant_type` (RFC 6749, section 5.2), `authorization_pending`, `slow_down`, `expired_token` or `access_denied` (RFC 8628).",
    ),
    401: refused("`invalid_client`: the client is unknown, or its secret is wrong."),
    408: refused("The body did not arrive within a minute."),
    413: refused("The body is larger than 64 KiB."),
    415: refused("The body is neither JSON nor a form."),
    429: tooManyCalls,
    500: refused("The service failed."),
    503: refused("The database did not answer, or too many sign-ins came at once; try again."),
  },
});
