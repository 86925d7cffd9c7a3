/** Detaches files from deleted customers. The library attaches and shows files. */
import { bindRows, type Sql, sql } from "../db/statements.ts";
import type { Statement } from "../platform/database/database.ts";
import type { StagedKind } from "../staged/kind.ts";

/** Kinds of records that have files. */
export type AttachedRecord = "account" | "contact" | "case" | "lead";

/** The most attachments that a step deletes, so that it holds the write lock for well under 100 ms. */
const most = 1_000;
const kind = "file_detachment";

/**
 * Detaches the files from the records of the ids (a select), in the commit that deletes the records. The
 * files remain. Staged work deletes the attachments beyond the first step; they no longer give access.
 */
export function detachFiles({ at }: { readonly at: string }, type: AttachedRecord, ids: Sql): Statement[] {
  const ofRecords = sql`a.entity_type = ${type} and a.entity_id in (${ids})`;
  return [
    sql`delete from attachments where rowid in (
      select a.rowid from attachments a where ${ofRecords} limit ${bindRows(most)})`,
    sql`insert into staged_work (company_id, kind, subject, created_at)
      select a.company_id, ${kind}, ${type} || ':' || a.entity_id, ${at} from attachments a
      where ${ofRecords} group by a.entity_id`,
  ];
}

/** Reads which of the records have files. */
export function selectRecordsWithFiles(type: AttachedRecord, ids: readonly string[]): Statement {
  return sql`select distinct a.entity_id as id from attachments a where a.entity_type = ${type}
    and a.entity_id in (select value from json_each(${JSON.stringify(ids)}))`;
}

export const fileDetachment: StagedKind = {
  kind,
  step: ({ subject }) => {
    const [type, id] = subject.split(":") as [string, string];
    const left =
      sql`select a.rowid as id from attachments a where a.entity_type = ${type} and a.entity_id = ${id}`;
    return {
      reads: [sql`select count(*) as n from (${left} limit ${bindRows(most + 1)})`],
      apply: (_author, [found]) => ({
        statements: [sql`delete from attachments where rowid in (${left} limit ${bindRows(most)})`],
        events: [],
        more: Number(found!.rows[0]!.n) > most,
      }),
    };
  },
};
