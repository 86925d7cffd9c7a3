import { clientEndpoint, type Endpoint } from "../../http/endpoint.ts";
import { resetTokenPolicy } from "../auth/attempt_limits.ts";
import { requestReset, resetByToken } from "./reset_password.ts";
import { NewPassword, RequestReset, ResetDone } from "./reset_schema.ts";

const tag = "Users";

export const resetEndpoints: Endpoint[] = [
  clientEndpoint("trusted", {
    method: "post",
    path: "/v1/reset-password",
    operation: "requestPasswordReset",
    tag,
    summary: "Mail somebody a link to choose a new password",
    description:
      "The same answer whether or not anybody has the address. The link serves once, for 24 hours. " +
      "At most five mails an hour go to an address.",
    body: RequestReset,
    answers: { 204: { description: "A mail is on its way to who has the address.", schema: null } },
  }, (ctx, { body }) => requestReset(ctx, body.email)),
  clientEndpoint("client", {
    method: "post",
    path: "/v1/reset-password/verify/:token",
    operation: "resetPassword",
    tag,
    summary: "Choose a new password by the token of the mail",
    description: "Ends all tokens of the user. A client that is not trusted serves its own company's users.",
    params: { token: "text" },
    body: NewPassword,
    limits: [resetTokenPolicy],
    answers: { 200: { description: "The new password serves.", schema: ResetDone } },
  }, (ctx, { params, body }) => resetByToken(ctx, params.token, body.password)),
];
