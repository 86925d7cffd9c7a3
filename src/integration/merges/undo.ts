/** Undoes a merge: what went comes back, with all that is still where the merge has moved it. */
import { ok } from "../../core/answer.ts";
import { conflict, Problem } from "../../core/errors.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { guardThat, type Result, type Row } from "../../platform/database/database.ts";
import { activityAgain } from "../../sales/cases/last_activity.ts";
import { returnAttached } from "./attached.ts";
import { type ChangedValue, follow, followerReads, type Followers, type NewIds } from "./follow.ts";
import { mergeById, mergeOf } from "./queries.ts";
import type { Kept } from "./record.ts";
import { broughtBack, restoreCount, restoreReads } from "./restore.ts";
import type { KeptField, Moved } from "./schema.ts";
import type { MergeRow } from "./table.ts";

/** Answers how many records are back where they were, and what stays as it is. */
export async function undoMerge(ctx: Context, id: string) {
  const { companyId } = ctx.caller;
  const moved = movedBy(id);
  const [found, later, rowsFound, counted, ...results] = await ctx.deps.db.read([
    mergeById(companyId, id),
    laterMerge(companyId, id),
    sql`select r.table_name, r.row_id, r.column_name, r.before, r.after, ${isThere} as is_there
      from merge_rows r where r.merge_id = ${id}`,
    sql`select (select count(*) from tasks where case_id in (${moved.cases})) as tasks,
      (select count(*) from correspondences where case_id in (${moved.cases})) as correspondences`,
    ...restoreReads(ctx, id),
    ...followerReads(moved),
  ]);
  const kept = checkUndo(ctx, mergeOf(ctx, found!), later!);
  const rows = rowsFound!.rows as KeptRow[];
  const back = broughtBack(ctx, kept, results.slice(0, restoreCount));
  const following = results.slice(restoreCount);
  const followed = follow(ctx, following, returning(rows), back.customers);
  const stays = [...back.kept, ...rows.flatMap((row) => stayed(row, followed.values))];
  const attached = (table: string) =>
    rows.filter((row) => row.table_name === table && row.is_there === 1).length;
  const among = (table: string) =>
    new Set(followed.values.filter(({ table_name }) => table_name === table).map(({ row_id }) => row_id))
      .size;
  const restored: Moved = {
    contacts: among("contacts"),
    cases: among("cases"),
    leads: following[2]!.rows.length,
    notes: following[1]!.rows.length,
    files: rows.filter((row) => row.table_name === "attachments" && row.after !== null && row.is_there === 1)
      .length,
    tasks: Number(counted!.rows[0]!.tasks),
    correspondences: Number(counted!.rows[0]!.correspondences),
    campaign_messages: attached("campaign_messages"),
  };
  return await commit(ctx, {
    statements: [
      guardThat(
        "merge",
        sql`exists (select 1 from merges where id = ${id} and undone_at is null
        and root_id = entity_id)`,
      ),
      ...followed.guards,
      ...back.statements,
      ...followed.statements,
      ...returnAttached(id, companyId),
      sql`delete from merged_records where merge_id = ${id}`,
      sql`delete from merge_rows where merge_id = ${id}`,
      sql`update merges set undone_at = ${ctx.at}, kept = null where id = ${id}`,
      ...activityAgain({
        accounts: [...kept.subjects, ...kept.homes],
        contacts: kept.subjects,
      }),
    ],
    events: [...back.events, ...followed.events],
    answer: ok({ restored, kept: stays }),
  });
}

/** Throws 409 and 410. Returns what the undo needs. */
function checkUndo(ctx: Context, merge: MergeRow, later: Result): Kept {
  if (merge.undone_at !== null) throw conflict("merge_undone", "The merge is undone already.");
  const since = formatTimestamp(ctx.now - lifetimes.merge);
  if (merge.kept === null || merge.created_at < since) {
    throw new Problem(410, "merge_expired", "A merge can be undone within 30 days.");
  }
  const covering = later.rows[0]?.id as string | undefined;
  if (covering !== undefined) {
    throw new Problem(409, "merge_covered", `The later merge ${covering} must be undone first.`, {
      members: { merge_id: covering },
    });
  }
  return JSON.parse(merge.kept) as Kept;
}

/** The latest merge since that took one of the records of this merge, or one that it has moved. */
function laterMerge(companyId: number, id: string) {
  return sql`select l.id from merges m join merges l on l.company_id = ${companyId} and l.seq > m.seq
    where m.id = ${id} and l.undone_at is null and l.kept is not null and exists (
      select 1 from json_each(l.kept, '$.subjects') s where s.value in (
        select value from json_each(m.kept, '$.subjects') union select value from json_each(m.kept, '$.homes')
        union select r.row_id from merge_rows r where r.merge_id = m.id and r.table_name = 'contacts'))
    order by l.seq desc limit 1`;
}

interface KeptRow extends Row {
  readonly table_name: string;
  readonly row_id: string;
  readonly column_name: string;
  readonly before: string;
  readonly after: string | null;
  readonly is_there: number;
}

/** SQL: whether the row of `merge_rows r` still exists; of files and messages, whether it is still there. */
const isThere = sql`case r.table_name
  when 'contacts' then exists (select 1 from contacts t where t.id = r.row_id)
  when 'cases' then exists (select 1 from cases t where t.id = r.row_id)
  when 'leads' then exists (select 1 from leads t where t.id = r.row_id)
  when 'notes' then exists (select 1 from notes t where t.id = cast(r.row_id as integer))
  when 'campaign_messages' then exists (select 1 from campaign_messages t
    where t.id = cast(r.row_id as integer) and t.contact_id = r.after)
  when 'companies' then exists (select 1 from companies t
    where t.id = cast(r.row_id as integer) and t.default_account_id = r.after)
  when 'attachments' then exists (select 1 from attachments t where t.entity_type = r.column_name
    and t.entity_id = r.after and t.file_id = r.row_id)
  end`;

/** Selects what is still where the merge has moved it. */
function movedBy(id: string): Followers {
  const kept = (table: string) => sql`merge_rows r where r.merge_id = ${id} and r.table_name = ${table}`;
  return {
    contacts: sql`select c.id from contacts c where c.id in (select r.row_id from ${kept("contacts")})
      and c.account_id = (select r.after from ${kept("contacts")} and r.row_id = c.id)`,
    notes: sql`select n.id from notes n where n.id in (select cast(r.row_id as integer) from ${kept("notes")}
      and r.after = (select o.contact_id from notes o where o.id = cast(r.row_id as integer)))`,
    leads: sql`select l.id from leads l where l.id in (select r.row_id from ${kept("leads")} and r.after = (
      select case r.column_name when 'account_id' then o.account_id when 'contact_id' then o.contact_id
      when 'original_account_id' then o.original_account_id else o.original_contact_id end
      from leads o where o.id = r.row_id))
      union select t.lead_id from lead_transitions t where t.id in (
      select cast(r.row_id as integer) from ${kept("lead_transitions")})`,
    cases: sql`select cs.id from cases cs where cs.id in (select r.row_id from ${
      kept("cases")
    } and r.after = (
      select case r.column_name when 'account_id' then o.account_id else o.contact_id end
      from cases o where o.id = r.row_id))`,
  };
}

/** Gives columns that the merge has changed, and nobody since, what they had before. */
function returning(rows: readonly KeptRow[]): NewIds {
  const byRow = Map.groupBy(rows, ({ table_name, row_id }) => `${table_name} ${row_id}`);
  return (table, id, row) => {
    const values = row as Readonly<Record<string, string | null>>;
    const own = (byRow.get(`${table} ${id}`) ?? []).filter((each) => values[each.column_name] === each.after);
    return Object.fromEntries(own.map(({ column_name, before }) => [column_name, before]));
  };
}

const entities: Readonly<Record<string, string>> = {
  contacts: "contact",
  cases: "case",
  leads: "lead",
  notes: "note",
  attachments: "file",
  companies: "company",
  cleared_messages: "campaign_message",
};

/** Returns the entry of a value that stays as it is. */
function stayed(row: KeptRow, values: readonly ChangedValue[]): KeptField[] {
  const entity_type = entities[row.table_name];
  if (entity_type === undefined) return [];
  const entry = (field: string | null, reason: KeptField["reason"]): KeptField[] => [
    { entity_type, entity_id: row.row_id, field, reason },
  ];
  if (row.table_name === "attachments") {
    return row.after === null || row.is_there === 1 ? [] : entry(null, "deleted");
  }
  if (row.table_name === "cleared_messages") {
    return JSON.parse(row.before).status === "pending" ? entry("status", "changed") : [];
  }
  if (row.table_name === "companies") return row.is_there === 1 ? [] : entry(row.column_name, "changed");
  if (row.is_there !== 1) return entry(null, "deleted");
  const isBack = values.some((value) =>
    value.table_name === row.table_name && value.row_id === row.row_id &&
    value.column_name === row.column_name
  );
  return isBack ? [] : entry(row.column_name, "moved");
}
