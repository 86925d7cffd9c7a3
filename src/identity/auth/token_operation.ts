import { z } from "zod";
import { addRateLimits, type Described } from "../../http/openapi_operation.ts";
import { grants } from "./grants.ts";

const client = {
  client_id: z.string().optional().meta({ description: "Required unless sent by HTTP Basic." }),
  client_secret: z.string().optional().meta({ description: "Unless sent by HTTP Basic." }),
};

/** A schema by grant, so that a program needs no members of other grants. */
const TokenRequestSchema = z.discriminatedUnion("grant_type", [
  z.object({ grant_type: z.literal("client_credentials"), ...client }).meta({
    id: "ClientCredentialsRequest",
  }),
  z.object({
    grant_type: z.literal("password"),
    username: z.string().meta({ description: "The user's e-mail address." }),
    password: z.string(),
    ...client,
  }).meta({ id: "PasswordRequest" }),
  z.object({ grant_type: z.literal("refresh_token"), refresh_token: z.string(), ...client })
    .meta({ id: "RefreshTokenRequest" }),
  z.object({
    grant_type: z.literal("authorization_code"),
    code: z.string(),
    redirect_uri: z.string().meta({ description: "That of the authorization request." }),
    code_verifier: z.string().optional().meta({
      description: "When the authorization request had a `code_challenge` (PKCE, S256).",
    }),
    ...client,
  }).meta({ id: "AuthorizationCodeRequest" }),
  z.object({
    grant_type: z.literal("urn:ietf:params:oauth:grant-type:device_code"),
    device_code: z.string().meta({ description: "Of `POST /auth/device_authorization`." }),
    ...client,
  }).meta({ id: "DeviceTokenRequest" }),
  z.object({
    grant_type: z.literal("device_code"),
    device_code: z.string().optional().meta({ description: "The first step has none, and returns one." }),
    ...client,
  }).meta({ id: "DeviceCodeRequest" }),
]).meta({
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

const TokenError = z.object({ error: z.string(), error_description: z.string() }).meta({
  id: "TokenError",
  example: { error: "invalid_grant", error_description: "The user name or the password is wrong." },
});

export const describeRefusal = (description: string) => ({
  description,
  content: { "application/json": { schema: TokenError } },
});

/** The refusals of every endpoint that authenticates a client by the body or as HTTP Basic. */
export const clientRefusals = {
  401: describeRefusal("`invalid_client`: the client is unknown, or its secret is wrong."),
  408: describeRefusal("The body did not arrive within a minute."),
  413: describeRefusal("The body is larger than 64 KiB."),
  415: describeRefusal("The body is neither JSON nor a form."),
  429: describeRefusal(
    "`temporarily_unavailable`: too many failed attempts, or calls; wait for `Retry-After` seconds.",
  ),
  500: describeRefusal("The service failed."),
  503: describeRefusal("The database did not answer; try again."),
};

/** For the OpenAPI document. */
export const tokenOperation: Described = addRateLimits({
  method: "post",
  path: "/auth/token",
  operationId: "issueToken",
  tags: ["Authentication"],
  summary: "Get an access token",
  description:
    "RFC 6749. The client's credentials come in the body or as HTTP Basic; `grant_type` may also come in the " +
    "query. The standard grant for devices (RFC 8628) begins at `POST /auth/device_authorization`. The older " +
    "grant `device_code` begins here: its first call, without `device_code`, returns instead of tokens " +
    "`verification_uri` (where the user enters the code), `user_code` (an integer), `device_code` (for the next " +
    "calls) and `interval` (seconds between two polls). Later calls with `device_code` poll for the tokens.",
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
      description: "The tokens.",
      content: { "application/json": { schema: TokenAnswer } },
    },
    400: describeRefusal(
      "`invalid_request`, `invalid_grant`, `unauthorized_client`, `unsupported_grant_type` (RFC 6749, section 5.2), `authorization_pending`, `slow_down`, `expired_token` or `access_denied` (RFC 8628).",
    ),
    ...clientRefusals,
    503: describeRefusal("The database did not answer, or too many sign-ins came at once; try again."),
  },
});
