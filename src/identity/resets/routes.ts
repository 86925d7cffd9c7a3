import { declareClientEndpoint, type Endpoint } from "../../http/endpoint.ts";
import { resetTokenPolicy } from "../attempts/limits.ts";
import { requestReset, resetByToken } from "./reset.ts";
import { NewPassword, RequestReset, ResetDone } from "./schema.ts";

const tag = "Users";

export const resetEndpoints: Endpoint[] = [
  declareClientEndpoint("trusted", {
    method: "post",
    path: "/v1/reset-password",
    operation: "requestPasswordReset",
    tag,
    summary: "Request a link to choose a new password",
    description:
      "The answer is the same whether or not a user has the address. The link works once, for 24 hours. " +
      "An address gets at most five mails an hour.",
    body: RequestReset,
    answers: { 204: { description: "If a user has the address, a mail will be sent.", schema: null } },
  }, (ctx, { body }) => requestReset(ctx, body.email)),
  declareClientEndpoint("client", {
    method: "post",
    path: "/v1/reset-password/verify/:token",
    operation: "resetPassword",
    tag,
    summary: "Choose a new password with the token from the mail",
    description:
      "Ends all tokens of the user. A client that is not trusted can reset passwords of its own company only.",
    params: { token: "text" },
    body: NewPassword,
    limits: [resetTokenPolicy],
    answers: { 200: { description: "The new password is set.", schema: ResetDone } },
  }, (ctx, { params, body }) => resetByToken(ctx, params.token, body.password)),
];
