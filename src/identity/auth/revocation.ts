/** `POST /auth/revoke`: RFC 7009. */
import type { Hono } from "hono";
import { z } from "zod";
import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import { remove, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { addRateLimits, type Described } from "../../http/openapi_operation.ts";
import { sha256 } from "../../platform/crypto.ts";
import { identify } from "./clients.ts";
import type { OAuthCall } from "./oauth_call.ts";
import { mountOAuthEndpoint, type Outcome } from "./oauth_endpoint.ts";
import { invalidGrant } from "./oauth_error.ts";
import { endFamily } from "../tokens/revoke.ts";
import { accessTokens } from "./table.ts";
import { clientRefusals, describeRefusal } from "./token_operation.ts";
import { type ClientRequest, clientRequest, requireFields } from "./token_request.ts";

export const revocationPath = "/auth/revoke";

export function mountRevocationEndpoint(app: Hono, deps: Deps): void {
  mountOAuthEndpoint(app, deps, revocationPath, clientRequest("token", "token_type_hint"), revoke);
}

/** Ends the token and all tokens of the same sign-in. An unknown token counts as ended. */
async function revoke(called: OAuthCall, { fields, credentials }: ClientRequest): Promise<Outcome> {
  const hash = sha256(requireFields(fields, "token").token);
  const { client, results: [found], call } = await identify(called, credentials, [
    sql`select client_id, user_id, family_id from access_tokens where hash = ${hash} union all
      select client_id, user_id, family_id from refresh_tokens where hash = ${hash}`,
  ]);
  const row = found!.rows[0] as
    | { client_id: string; user_id: number | null; family_id: string | null }
    | undefined;
  if (!row) return { body: null, client, userId: null };
  if (row.client_id !== client.client_id) throw invalidGrant("The token was issued to another client.");
  const ended = row.family_id === null ? [remove(accessTokens, { hash })] : endFamily(row.family_id);
  await commit(call, { statements: ended, answer: noContent });
  return { body: null, client, userId: row.user_id };
}

const RevocationRequest = z.object({
  token: z.string().meta({ description: "An access token or a refresh token." }),
  token_type_hint: z.string().optional().meta({ description: "Not needed." }),
  client_id: z.string().optional().meta({ description: "Unless sent by HTTP Basic." }),
  client_secret: z.string().optional().meta({ description: "Unless sent by HTTP Basic." }),
}).meta({
  id: "RevocationRequest",
  example: { token: "Yk3v0m2ZC3vE1xk6mJXl0Yw4o8i1cYkq0m0b5n2h7sQ", client_id: "my-client" },
});

/** For the OpenAPI document. */
export const revocationOperation: Described = addRateLimits({
  method: "post",
  path: revocationPath,
  operationId: "revokeToken",
  tags: ["Authentication"],
  summary: "Revoke a token",
  description: "RFC 7009. Ends all tokens of the same sign-in.",
  security: [],
  request: {
    body: {
      required: true,
      content: {
        "application/x-www-form-urlencoded": { schema: RevocationRequest },
        "application/json": { schema: RevocationRequest },
      },
    },
  },
  responses: {
    200: { description: "The token has ended, or was unknown." },
    400: describeRefusal("`invalid_request`, or `invalid_grant` for a token of another client."),
    ...clientRefusals,
  },
});
