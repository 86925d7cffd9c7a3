/** Removes what a dry run has remembered of its rows as soon as it has ended: nothing reads it then. */
import { bindRows, sql } from "../../db/statements.ts";
import type { StagedKind } from "../../staged/kind.ts";

const usualKeys = 500;

/** Staged work; its subject is the import. */
export const remembered: StagedKind = {
  kind: "import_keys",
  async step({ subject }, _take, { db, share }) {
    const most = share(usualKeys);
    const keys = sql`select rowid from import_keys where import_id = ${subject} limit ${bindRows(most)}`;
    const [found] = await db.read([keys]);
    return {
      statements: [sql`delete from import_keys where rowid in (${keys})`],
      events: [],
      more: found!.rows.length === most,
    };
  },
};
