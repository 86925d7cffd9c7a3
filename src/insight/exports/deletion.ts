/** Exports of deleted users. */
import { sql } from "../../db/statements.ts";
import { changeAtOnce } from "../../identity/users/deletion.ts";
import { deleteExports } from "./write.ts";

/** Deletes the exports that are not written yet. Written files are handled with the user's other files. */
export const exportDeletion = changeAtOnce(({ company_id, user_id }, { deps }) =>
  deleteExports(
    deps,
    sql`select e.id from report_exports e where e.company_id = ${company_id} and e.user_id = ${user_id}
      and e.due_at is not null`,
  )
);
