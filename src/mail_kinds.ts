/** Records the end of each mail, by the kind of record that the mail is about. */
import type { MailKinds } from "./db/mails.ts";
import { automatedEnded } from "./messages/automated/send.ts";
import { reasonNow } from "./messages/automated/standing.ts";
import { correspondenceEnded, correspondenceKind } from "./messages/correspondence/write.ts";

export const mailKinds: MailKinds = {
  [correspondenceKind]: {
    ended: (end) => [...correspondenceEnded(end), ...automatedEnded(end)],
    against: reasonNow,
  },
};
