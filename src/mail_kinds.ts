/** What is recorded when mails end, by the kind of record that they are about. */
import type { MailKinds } from "./db/mails.ts";
import { correspondenceEnded, correspondenceKind } from "./messages/correspondence/write.ts";

import { automatedEnded } from "./messages/automated/send.ts";

export const mailKinds: MailKinds = {
  [correspondenceKind]: (end) => [...correspondenceEnded(end), ...automatedEnded(end)],
};
