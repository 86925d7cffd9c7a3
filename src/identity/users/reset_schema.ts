import { z } from "@hono/zod-openapi";
import { email } from "../../http/zod.ts";
import { password } from "./schema.ts";

export const RequestReset = z.object({ email }).openapi("RequestPasswordReset", {
  example: { email: "ada@example.org" },
});

export const NewPassword = z.object({ password: password(10) }).openapi("NewPassword", {
  example: { password: "correct horse battery" },
});

export const ResetDone = z.object({ email: z.string().openapi({ example: "ada@example.org" }) })
  .openapi("PasswordReset");
