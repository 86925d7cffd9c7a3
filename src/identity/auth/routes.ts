import { z } from "zod";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { describePage, page, paging as pages, parsePaging, sorting } from "../../http/lists.ts";
import { deviceCodePolicy } from "../attempts/limits.ts";
import { activateDevice } from "./device_activation.ts";
import { endOtherSessions, endOwnSession, listSessions } from "./own_sessions.ts";
import { deleteToken, listTokens, presentToken, tokenOrder } from "./own_tokens.ts";

const tag = "Tokens";

const Token = z.object({
  client_name: z.string().meta({ example: "Dealer website" }),
  token: z.string().meta({
    description: "The identifier of the token. It cannot be used as a token.",
    example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001",
  }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "Token" });

const DeviceActivation = z.object({
  code: z.int().meta({ description: "The code that the device shows." }),
}).meta({ id: "DeviceActivation", example: { code: 73914520 } });

const Sessions = z.object({
  data: z.array(z.object({
    id: z.uuid(),
    created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
    last_used_at: z.string().meta({ description: "Kept to the day." }),
    user_agent: z.string().nullable(),
    address: z.string().nullable().meta({ description: "The network address at the sign-in." }),
    current: z.boolean().meta({ description: "Whether the call is made in this session." }),
  })),
}).meta({ id: "Sessions" });

export const tokenEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/me/sessions",
    operation: "listSessions",
    tag,
    summary: "List the caller's sessions on the pages, last used first",
    answers: { 200: { description: "The sessions.", schema: Sessions } },
  }, (ctx) => listSessions(ctx)),
  endpoint({
    method: "delete",
    path: "/v1/me/sessions",
    operation: "endOtherSessions",
    tag,
    summary: "End all sessions of the caller but the present one",
    description: "A call with a token is made in none, so that all end.",
    answers: { 204: { description: "They have ended.", schema: null } },
  }, (ctx) => endOtherSessions(ctx)),
  endpoint({
    method: "delete",
    path: "/v1/me/sessions/:session_id",
    operation: "endSession",
    tag,
    summary: "End a session of the caller",
    params: { session_id: "uuid" },
    answers: { 204: { description: "It has ended.", schema: null } },
  }, (ctx, { params }) => endOwnSession(ctx, params.session_id)),
  endpoint({
    method: "post",
    path: "/v1/device-activation",
    operation: "activateDevice",
    tag,
    summary: "Allow a device",
    description: "After 10 wrong codes in 10 minutes: 429 with `Retry-After`.",
    body: DeviceActivation,
    limits: [deviceCodePolicy],
    answers: { 204: { description: "The device gets its tokens with its next poll.", schema: null } },
  }, (ctx, { body }) => activateDevice(ctx, ctx.caller.userId, body.code)),
  endpoint({
    method: "get",
    path: "/v1/tokens",
    operation: "listTokens",
    tag,
    summary: "List the caller's own tokens",
    query: z.object({ ...pages, ...sorting(tokenOrder.sorts) }),
    answers: { 200: { description: "A page of tokens.", schema: describePage(Token, "TokenPage") } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, tokenOrder);
    const { rows, total } = await listTokens(ctx, paging);
    return page({ url, ctx }, paging, rows, total, presentToken);
  }),
  endpoint({
    method: "delete",
    path: "/v1/tokens/:token",
    operation: "deleteToken",
    tag,
    summary: "Revoke one of the caller's own tokens",
    description: "Takes the identifier or the token itself. Ends all tokens of the same sign-in.",
    params: { token: "text" },
    answers: { 204: { description: "The token has ended.", schema: null } },
  }, (ctx, { params }) => deleteToken(ctx, params.token)),
];
