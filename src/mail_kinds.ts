/** What is recorded when mails end, by the kind of record that they are about. */
import type { MailKinds } from "./db/mails.ts";

export const mailKinds: MailKinds = {};
