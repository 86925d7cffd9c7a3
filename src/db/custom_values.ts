/** Custom fields in the database: the definitions of a company, and the values of records for filters. */
import { foldText } from "../core/text.ts";
import { countBytes, partBudgets } from "../core/budgets.ts";
import { fieldError, invalid } from "../core/errors.ts";
import { type CustomField, type CustomValue, type CustomValues, isChoice } from "../fields/custom_fields.ts";
import type { OwnerType } from "../fields/fixed_fields.ts";
import { guardThat, type Row, type Statement } from "../platform/database/database.ts";
import { type Sql, sql } from "./statements.ts";

/** SQL: the fields and the country of a company (an expression for its id) as JSON for `readCompanyFields`. */
export function selectFieldsJson(companyId: Sql): Sql {
  const orders = selectOrderList(companyId);
  return sql`(select json_object('fields', ${selectFieldList(companyId)}, 'orders', ${orders},
    'country', coalesce(k.country, substr(k.locale, 4))) from companies k where k.id = ${companyId})`;
}

function selectFieldList(companyId: Sql): Sql {
  return sql`(select json_group_array(json_object('seq', f.seq, 'id', f.id, 'owner_type', f.owner_type,
    'name', f.name, 'label', f.label, 'type', f.type, 'validation', f.validation,
    'is_hidden', ${truth(sql`f.is_hidden`)}, 'is_read_only', ${truth(sql`f.is_read_only`)},
    'team_id', f.team_id, 'group_id', f.group_id, 'options', json(f.options), 'links', json(f.links),
    'version', f.version) order by f.seq) from fields f
    where f.company_id = ${companyId} and f.deleted_at is null)`;
}

function truth(flag: Sql): Sql {
  return sql`json(iif(${flag} = 1, 'true', 'false'))`;
}

function selectOrderList(companyId: Sql): Sql {
  return sql`(select json_group_array(json_object('owner_type', o.owner_type, 'team_id', o.team_id,
    'group_id', o.group_id, 'items', json(o.items)) order by o.seq) from field_orders o
    where o.company_id = ${companyId})`;
}

/** Reads `fields`: the JSON for `readCompanyFields`. */
export function selectFieldsOfCompany(companyId: number): Statement {
  return sql`select ${selectFieldsJson(sql`c.id`)} as fields from companies c where c.id = ${companyId}`;
}

/** The record that has the values. */
export interface Owned {
  /** The record's row id. */
  readonly owner: Sql;
  /** All fields of its kind. */
  readonly fields: readonly CustomField[];
}

/**
 * Stores the changed values of a record for filters. Fails with `fields` when a used field was changed or
 * deleted since it was read.
 */
export function changeValues(
  { owner, fields }: Owned,
  before: CustomValues,
  after: CustomValues,
): Statement[] {
  const changed = fields.filter(({ id }) => !isSameValue(before[id], after[id]));
  if (changed.length === 0) return [];
  checkValues(fields, before, after);
  const rows = changed.flatMap((field) => makeRows(field, after[field.id]));
  const versions = JSON.stringify(changed.map(({ seq, version }) => [seq, version]));
  const unchanged = sql`not exists (select 1 from json_each(${versions}) v
    left join fields f on f.seq = v.value ->> 0 and f.deleted_at is null where f.version is not v.value ->> 1)`;
  return [
    guardThat("fields", unchanged),
    sql`delete from custom_values where owner = ${owner} and field in (select value ->> 0 from json_each(${versions}))`,
    insertValues(owner, changed[0]!.owner_type, rows),
  ];
}

/**
 * Throws 422 `max` at `path` when the values of a record exceed their budget and are larger than `before`.
 * Choices do not count, because the budget of their definitions has room for them.
 */
export function checkValues(
  fields: readonly CustomField[],
  before: CustomValues,
  after: Readonly<Record<string, CustomValue | null>>,
  path = "custom_fields",
): void {
  const size = measureValues(fields, after);
  if (size <= partBudgets.values || size <= measureValues(fields, before)) return;
  const message = `The values would take ${size} bytes, choices aside; at most ${partBudgets.values}.`;
  throw invalid(fieldError(path, "max", message));
}

function measureValues(
  fields: readonly CustomField[],
  values: Readonly<Record<string, CustomValue | null>>,
): number {
  let size = 0;
  for (const { id, type } of fields) {
    const value = values[id];
    if (value !== undefined && value !== null && !isChoice(type)) size += countBytes(JSON.stringify(value));
  }
  return size;
}

/**
 * Inserts values. Those of accounts and contacts also copy the columns of their record that filters combine
 * with values.
 */
function insertValues(owner: Sql, type: OwnerType, rows: readonly ValueRow[]): Statement {
  const into = sql`insert into custom_values (owner, field, place, text, number, b2c, team_id)`;
  const values = sql`value ->> 0, value ->> 1, value ->> 2, value ->> 3`;
  const given = sql`json_each(${JSON.stringify(rows)})`;
  if (type !== "account" && type !== "contact") {
    return sql`${into} select ${owner}, ${values}, null, null from ${given}`;
  }
  const table = type === "account" ? sql`accounts` : sql`contacts`;
  return sql`${into} select o.seq, ${values}, o.b2c, o.team_id from ${table} o cross join ${given}
    where o.seq = ${owner}`;
}

/** Deletes the values of deleted records. `owners`: a select of their row ids. */
export function removeValues(fields: readonly CustomField[], owners: Sql): Statement[] {
  if (fields.length === 0) return [];
  return [
    sql`delete from custom_values where owner in (${owners}) and field in (select value
      from json_each(${JSON.stringify(fields.map(({ seq }) => seq))}))`,
  ];
}

/** Stores the texts of records (`seq`, and `custom` as JSON) in the form in which filters compare them now. */
export function reindexValues(fields: readonly CustomField[], records: readonly Row[]): Statement[] {
  const texts = fields.filter(({ type }) => type === "text" || type === "multi_line");
  if (texts.length === 0) return [];
  const values = records.flatMap(({ seq, custom }) => {
    const stored = JSON.parse(String(custom)) as CustomValues;
    return texts.flatMap(({ id, seq: field }) => {
      const value = stored[id];
      return typeof value === "string" ? [[seq, field, foldText(value)]] : [];
    });
  });
  if (values.length === 0) return [];
  return [
    sql`update custom_values set text = v.value ->> 2 from json_each(${JSON.stringify(values)}) v
      where owner = v.value ->> 0 and field = v.value ->> 1 and text is not v.value ->> 2`,
  ];
}

type ValueRow = [field: number, place: number, text: string | null, number: number | null];

function makeRows({ seq }: CustomField, value: CustomValue | undefined): ValueRow[] {
  if (value === undefined) return [];
  if (typeof value === "string") return [[seq, 0, foldText(value), null]];
  if (typeof value === "object") return value.map((option, place) => [seq, place, option, null]);
  return [[seq, 0, null, Number(value)]];
}

function isSameValue(one: CustomValue | undefined, other: CustomValue | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
