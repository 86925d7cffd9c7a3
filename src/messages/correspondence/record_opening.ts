import { noContent } from "../../core/answer.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit, retrying } from "../../db/commit.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { guardChanged, type Row } from "../../platform/database/database.ts";
import { isNotRemoved } from "../../sales/cases/queries.ts";

/** Records the first time that an e-mail was opened, and notifies its user. */
export async function recordOpening(deps: Deps, id: string): Promise<void> {
  await retrying(async () => {
    const now = deps.clock.now();
    const at = formatTimestamp(now);
    const [found] = await deps.db.read([
      sql`select m.company_id, m.user_id, m.case_id, c.contact_id from correspondences m
        join cases c on c.id = m.case_id join companies k on k.id = m.company_id
        where m.id = ${id} and m.opened_at is null and k.deleted_at is null
        and ${isNotRemoved(sql`m.case_id`)}`,
    ]);
    const row = found!.rows[0];
    if (!row) return;
    const { company_id, user_id, case_id, contact_id } = row as Row & {
      readonly company_id: number;
      readonly user_id: number | null;
      readonly case_id: string;
      readonly contact_id: string;
    };
    await commit({ deps, now, at }, {
      companyId: company_id,
      statements: [
        sql`update correspondences set opened_at = ${at}, updated_at = ${at}
          where id = ${id} and opened_at is null`,
        guardChanged("correspondence"),
      ],
      notifications: user_id === null ? [] : [{
        type: "email_opened",
        to: [{ users: [user_id] }],
        data: { email: { id }, case: { id: case_id }, contact: { id: contact_id } },
      }],
      answer: noContent,
    });
  });
}
