/** Mails that wait during a hold. */
import { type HeldKind, isOverdue } from "../../db/hold.ts";
import type { MailKinds } from "../../db/mails.ts";
import { literal, sql } from "../../db/statements.ts";
import type { Row } from "../../platform/database/database.ts";
import { endMail } from "./attempt.ts";

/** Mails of one batch. */
const most = 200;

/** `kinds`: the kinds of records for which the end of a mail is recorded. */
export function describeHeldMails(kinds: MailKinds): HeldKind {
  return {
    queue: "mails",
    waiting: () => sql`select count(*) as n, min(created_at) as oldest from mails where status = 'pending'`,
    async drop({ deps, now }, before) {
      const [found] = await deps.db.read([
        sql`select id, attempts, about_kind, about_id from mails where status = 'pending'
          and ${isOverdue(before)} order by id limit ${literal(most)}`,
      ]);
      const mails = found!.rows as (Row & Parameters<typeof endMail>[0])[];
      const end = { outcome: "failed", error: "Dropped after a restore.", bounced: null } as const;
      if (mails.length > 0) await deps.db.write(mails.flatMap((mail) => endMail(mail, end, now, kinds)));
      return mails.length;
    },
  };
}
