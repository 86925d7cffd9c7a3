/** Removes what deleted fields and options have left in records: in steps, since there can be a million. */
import type { CustomValues } from "../../core/fields.ts";
import type { OwnerType } from "../../core/fixed_fields.ts";
import { Stale } from "../../core/errors.ts";
import { rawSql, sql, statement } from "../../db/statements.ts";
import {
  type Database,
  GuardRefused,
  type Result,
  type Row,
  type Statement,
} from "../../platform/database/database.ts";
import { guardThat } from "../../platform/database/database.ts";

/** What a kind of record contributes, whose values are cleaned. */
export interface FieldValueOwner {
  readonly owner: OwnerType;
  readonly table: string;
  /** The column of the row id. */
  readonly key: string;
  /** Reads what `words` needs of the records; their row ids as a JSON list. */
  readonly reads: (owners: string, companyId: number) => readonly Statement[];
  /** Brings the full-text index up to date; `dropped` says what values a record loses. */
  readonly words: (
    results: readonly Result[],
    dropped: (values: CustomValues) => CustomValues,
  ) => Statement[];
}

/** Records that one step changes: few enough that it holds the write lock for well under 100 ms. */
const stepRows = 200;
/** Steps of one run; the next run goes on. */
const mostSteps = 300;

/** Cleans up after every deleted field and option; how many records it changed. */
export async function removeDeletedFields(
  { db }: { readonly db: Database },
  cleanings: readonly FieldValueOwner[],
): Promise<number> {
  let changed = 0;
  for (let step = 0; step < mostSteps; step++) {
    const [found] = await db.read([
      sql`select seq, id, company_id, owner_type, deleted_at, dead_options ->> 0 as dead_option, version from fields
      where deleted_at is not null or dead_options <> '[]' order by seq limit 1`,
    ]);
    const row = found!.rows[0];
    if (!row) break;
    const cleaning = cleanings.find(({ owner }) => owner === row.owner_type);
    try {
      changed += await cleanSome(db, row, cleaning);
    } catch (error) {
      // A record was changed meanwhile: it is read again.
      if (!(error instanceof GuardRefused || error instanceof Stale)) throw error;
    }
  }
  return changed;
}

async function cleanSome(db: Database, field: Row, cleaning: FieldValueOwner | undefined): Promise<number> {
  const option = field.deleted_at === null ? field.dead_option as string : null;
  const [found] = await db.read([
    option === null
      ? sql`select distinct owner from custom_values where field = ${field.seq!} limit ${stepRows} + 0`
      : sql`select owner from custom_values where field = ${field
        .seq!} and text = ${option} limit ${stepRows} + 0`,
  ]);
  const owners = found!.rows.map(({ owner }) => Number(owner));
  if (owners.length === 0 || !cleaning) {
    await db.write(finished(field, option));
    return 0;
  }
  const list = JSON.stringify(owners);
  const id = field.id as string;
  const read = [
    sql`select ${rawSql(cleaning.key)} as owner, version, custom from ${rawSql(cleaning.table)}
      where ${rawSql(cleaning.key)} in (select value from json_each(${list}))`,
    ...(option === null ? cleaning.reads(list, field.company_id as number) : []),
  ];
  const [records, ...rest] = await db.read(read);
  const dropped = (values: CustomValues) => without(values, id, option);
  const after = records!.rows.map(({ owner, version, custom }) => [
    owner,
    version,
    JSON.stringify(dropped(JSON.parse(custom as string))),
  ]);
  await db.write([
    guardThat(
      "record",
      sql`not exists (select 1 from json_each(${JSON.stringify(after)}) v left join ${
        rawSql(cleaning.table)
      } t on t.${rawSql(cleaning.key)} = v.value ->> 0
      where t.version is not v.value ->> 1)`,
    ),
    sql`update ${
      rawSql(cleaning.table)
    } set version = version + 1, custom = (select v.value ->> 2 from json_each(${JSON.stringify(after)}) v
      where v.value ->> 0 = ${rawSql(cleaning.key)}) where ${
      rawSql(cleaning.key)
    } in (select value from json_each(${JSON.stringify(after.map(([owner]) => owner))}))`,
    ...(option === null ? cleaning.words(rest, dropped) : []),
    statement(
      "delete from custom_values where field = ? and owner in (select value from json_each(?))" +
        (option === null ? "" : " and text = ?"),
      field.seq!,
      list,
      ...(option === null ? [] : [option]),
    ),
  ]);
  return owners.length;
}

/** The values without those of the field, or without the option in them. */
function without(values: CustomValues, id: string, option: string | null): CustomValues {
  const { [id]: value, ...rest } = values;
  if (option === null || value === undefined) return rest;
  const kept = Array.isArray(value) ? value.filter((chosen) => chosen !== option) : [];
  return kept.length > 0 ? { ...rest, [id]: kept } : rest;
}

/** Nothing has the field or the option any more. */
function finished(field: Row, option: string | null): Statement[] {
  const { seq } = field as { seq: number };
  if (option === null) return [sql`delete from fields where seq = ${seq}`];
  return [
    sql`update fields set dead_options = json_remove(dead_options, '$[0]') where seq = ${seq} and dead_options ->> 0 = ${option}`,
  ];
}
