import { z } from "zod";
import { email } from "../../http/zod.ts";
import { password } from "../users/record.ts";

export const RequestReset = z.object({ email }).meta({
  id: "RequestPasswordReset",
  example: { email: "ada@example.org" },
});

export const NewPassword = z.object({ password: password(10) }).meta({
  id: "NewPassword",
  example: { password: "correct horse battery" },
});

export const ResetDone = z.object({ email: z.string().meta({ example: "ada@example.org" }) })
  .meta({ id: "PasswordReset" });
