/** What a merge has moved: what is still where it has moved it, and what stays as somebody has changed it since. */
import { literal, type Sql, sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { isNotRemoved } from "../../sales/cases/queries.ts";
import type { ChangedValue, Followers, NewIds } from "./follow.ts";
import { countFollowers, limitByNotes, mostMoved } from "./moved_columns.ts";
import type { KeptField, Moved } from "./schema.ts";

/** SQL: the present value of the column that `merge_rows r` names; null when the row is gone. */
const present = {
  contacts: sql`(select t.account_id from contacts t where t.id = r.row_id)`,
  cases: sql`(select case r.column_name when 'account_id' then t.account_id else t.contact_id end
    from cases t where t.id = r.row_id and ${isNotRemoved(sql`r.row_id`)})`,
  leads:
    sql`(select case r.column_name when 'account_id' then t.account_id when 'contact_id' then t.contact_id
    when 'original_account_id' then t.original_account_id else t.original_contact_id end
    from leads t where t.id = r.row_id)`,
  lead_transitions: sql`(select case r.column_name when 'account_id' then t.account_id else t.contact_id end
    from lead_transitions t where t.id = cast(r.row_id as integer))`,
  notes: sql`(select t.contact_id from notes t where t.id = cast(r.row_id as integer))`,
} as const;

const composeMergeRows = (id: string, table: string) =>
  sql`merge_rows r where r.merge_id = ${id} and r.table_name = ${literal(table)}`;

/**
 * Selects what is still where the merge has moved it. `some`: at most as many of each kind as a commit moves, and one
 * more; their order is that of the rows, so that a step reads no more than it takes.
 */
export function selectMoved(id: string, some: boolean): Followers {
  const first = (kind: keyof Followers) =>
    some ? sql` order by r.row_id limit ${literal(mostMoved[kind] + 1)}` : sql``;
  const own = (kind: keyof Followers) =>
    sql`select distinct r.row_id as id from ${composeMergeRows(id, kind)}
      and r.after = ${present[kind]}${first(kind)}`;
  const ofTransitions = sql`select distinct (select t.lead_id from lead_transitions t
    where t.id = cast(r.row_id as integer)) as id from ${composeMergeRows(id, "lead_transitions")}
    and r.after = ${present.lead_transitions}${first("leads")}`;
  const leads = sql`select id from (${own("leads")}) union select id from (${ofTransitions})`;
  return {
    contacts: some ? limitByNotes(own("contacts")) : own("contacts"),
    notes: sql`select cast(id as integer) as id from (${own("notes")})`,
    leads: some ? sql`${leads} order by id limit ${literal(mostMoved.leads + 1)}` : leads,
    cases: own("cases"),
  };
}

/** The read of `returning`: what the merge has changed in these records. */
export function selectChanges(id: string, { contacts, notes, leads, cases }: Followers): Statement {
  const rows = (table: string, ids: Sql) =>
    sql`select r.table_name, r.row_id, r.column_name, r.before, r.after from ${composeMergeRows(id, table)}
      and r.row_id in (${ids})`;
  const text = (ids: Sql) => sql`select cast(id as text) from (${ids})`;
  const transitions = rows(
    "lead_transitions",
    sql`select cast(t.id as text) from lead_transitions t where t.lead_id in (select id from (${leads}))`,
  );
  return sql`${rows("contacts", contacts)} union all ${rows("cases", cases)} union all ${rows("leads", leads)}
    union all ${rows("notes", text(notes))} union all ${transitions}`;
}

interface KeptRow extends Row {
  readonly table_name: string;
  readonly row_id: string;
  readonly column_name: string;
  readonly before: string;
  readonly after: string | null;
}

/** Gives columns that the merge has changed, and nobody since, what they had before. */
export function returning({ rows }: Result): NewIds {
  const byRow = Map.groupBy(rows as KeptRow[], ({ table_name, row_id }) => `${table_name} ${row_id}`);
  return (table, id, row) => {
    const values = row as Readonly<Record<string, string | null>>;
    const own = (byRow.get(`${table} ${id}`) ?? []).filter((each) => values[each.column_name] === each.after);
    return Object.fromEntries(own.map(({ column_name, before }) => [column_name, before]));
  };
}

/** Forgets the values that are back. */
export function forgetValues(mergeId: string, values: readonly ChangedValue[]): Statement[] {
  if (values.length === 0) return [];
  const keys = values.map(({ table_name, row_id, column_name }) => [table_name, row_id, column_name]);
  return [
    sql`delete from merge_rows where (merge_id, table_name, row_id, column_name) in (
      select ${mergeId}, v.value ->> 0, v.value ->> 1, v.value ->> 2
      from json_each(${JSON.stringify(keys)}) v)`,
  ];
}

/**
 * SQL: whether the row of `merge_rows r` is as the merge has left it: its column, and of files and messages the row
 * itself.
 */
const isBack = sql`case r.table_name
  when 'contacts' then ifnull(r.after = ${present.contacts}, 0)
  when 'cases' then ifnull(r.after = ${present.cases}, 0)
  when 'leads' then ifnull(r.after = ${present.leads}, 0)
  when 'notes' then ifnull(r.after = ${present.notes}, 0)
  when 'campaign_messages' then exists (select 1 from campaign_messages t
    where t.id = cast(r.row_id as integer) and t.contact_id = r.after)
  when 'companies' then exists (select 1 from companies t
    where t.id = cast(r.row_id as integer) and t.default_account_id = r.after)
  when 'attachments' then exists (select 1 from attachments t where t.entity_type = r.column_name
    and t.entity_id = r.after and t.file_id = r.row_id)
  end`;

/** SQL: whether the row of `merge_rows r` still exists. */
const isThere = sql`case r.table_name
  when 'contacts' then exists (select 1 from contacts t where t.id = r.row_id)
  when 'cases' then exists (select 1 from cases t where t.id = r.row_id and ${isNotRemoved(sql`r.row_id`)})
  when 'leads' then exists (select 1 from leads t where t.id = r.row_id)
  when 'notes' then exists (select 1 from notes t where t.id = cast(r.row_id as integer))
  else 0 end`;

/** The number of statements of `selectUndone`. */
export const undoneCount = 3;

/** The reads of `readUndone`. */
export function selectUndone(id: string): Statement[] {
  const all = sql`select r.table_name, r.row_id, r.column_name, r.before, r.after, ${isBack} as is_back
    from merge_rows r where r.merge_id = ${id}`;
  return [
    sql`select count(iif(table_name = 'contacts' and is_back, 1, null)) as contacts,
      count(distinct iif(table_name = 'cases' and is_back, row_id, null)) as cases,
      count(iif(table_name = 'attachments' and after is not null and is_back, 1, null)) as files,
      count(iif(table_name = 'campaign_messages' and is_back, 1, null)) as campaign_messages from (${all})`,
    countFollowers(selectMoved(id, false)),
    sql`select r.table_name, r.row_id, r.column_name, ${isThere} as is_there from (${all}) r
      where case r.table_name when 'attachments' then r.after is not null and not r.is_back
      when 'cleared_messages' then r.before ->> 'status' = 'pending'
      when 'contacts' then not r.is_back when 'cases' then not r.is_back when 'leads' then not r.is_back
      when 'notes' then not r.is_back when 'companies' then not r.is_back else 0 end`,
  ];
}

/** Returns how many records the undo moves back, and what stays as it is. */
export function readUndone(
  [columns, records, staying]: readonly Result[],
): { readonly restored: Moved; readonly kept: readonly KeptField[] } {
  const counted = { ...records!.rows[0]!, ...columns!.rows[0]! };
  const of = (kind: keyof Moved) => Number(counted[kind]);
  return {
    restored: {
      contacts: of("contacts"),
      cases: of("cases"),
      leads: of("leads"),
      notes: of("notes"),
      files: of("files"),
      tasks: of("tasks"),
      correspondences: of("correspondences"),
      campaign_messages: of("campaign_messages"),
    },
    kept: (staying!.rows as StayingRow[]).map(presentStaying),
  };
}

interface StayingRow extends Row {
  readonly table_name: string;
  readonly row_id: string;
  readonly column_name: string;
  readonly is_there: number;
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
function presentStaying({ table_name, row_id, column_name, is_there }: StayingRow): KeptField {
  const entry = (field: string | null, reason: KeptField["reason"]): KeptField => ({
    entity_type: entities[table_name]!,
    entity_id: row_id,
    field,
    reason,
  });
  if (table_name === "cleared_messages") return entry("status", "changed");
  if (table_name === "companies") return entry(column_name, "changed");
  return is_there === 1 ? entry(column_name, "moved") : entry(null, "deleted");
}
