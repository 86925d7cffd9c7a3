/** The rows that name a record, by the declarations beside the tables. */
import assert from "node:assert/strict";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { is } from "drizzle-orm";
import type { Value } from "../../../src/platform/database/database.ts";
import {
  type Declared,
  type DeletableKind,
  type Effect,
  References,
  type Word,
} from "../../../src/db/references.ts";
import { references, tables } from "../../../src/schema.ts";
import type { TestApp } from "../../support/app.ts";

export interface Reference {
  readonly table: string;
  readonly column: string;
  readonly kind: DeletableKind;
  readonly effects: NonNullable<Exclude<Declared, string>[DeletableKind]>;
}

const parts: readonly unknown[] = [...tables, ...references];

/** Every declared reference to records of the kind. */
export function referencesTo(kind: DeletableKind): Reference[] {
  return parts.filter((part) => part instanceof References).flatMap(({ table, columns }) =>
    Object.entries(columns).flatMap(([column, declared]) => {
      const effects = typeof declared === "string" ? undefined : declared[kind];
      return effects === undefined ? [] : [{ table, column, kind, effects }];
    })
  );
}

/** The word of an effect; that of a forced removal where it can be forced. */
export function chooseWord(effect: Effect | Word): string {
  if (typeof effect === "string") return effect;
  if (!("block" in effect)) return chooseWord(effect.then);
  return effect.by.forced ? chooseWord(effect.by.forced) : "block";
}

export function chooseEffect({ effects }: Reference, hasSuccessor: boolean): Effect {
  return Array.isArray(effects) ? effects[hasSuccessor ? 0 : 1]! : effects as Effect;
}

const configs = new Map(
  parts.filter((part) => is(part, SQLiteTable)).map((table) => getTableConfig(table)).map((
    config,
  ) => [config.name, config]),
);

/** Columns whose ids belong to the kind that another column names. */
const kindColumns: Readonly<Record<string, string>> = {
  "folders.belongs_to_id": "belongs_to",
  "files.belongs_to_id": "belongs_to",
  "file_permissions.value": "type",
  "attachments.entity_id": "entity_type",
};

/** Tables without row ids; their rows are history, which nothing changes. */
const withoutRowid = new Set(["fact_rollups"]);

/** Columns that hold the row id of the record, by its table. */
const byRowid: Readonly<Record<string, Partial<Record<DeletableKind, string>>>> = {
  "custom_values.field": { field: "fields" },
  "custom_values.owner": { account: "accounts", contact: "contacts", product: "products", team: "teams" },
};

/** The id by which the column names the record. */
export async function idIn(app: TestApp, { table, column, kind }: Reference, id: string | number) {
  const named = byRowid[`${table}.${column}`]?.[kind];
  if (!named) return id;
  const [row] = await app.sql(`select rowid as row from ${named} where id = ?`, id);
  return Number(row!.row);
}

/** The keys of members that hold ids of the kind, where a JSON column names several. */
function matchMembers({ table, column, kind }: Reference): string {
  const at = `${table}.${column}`;
  if (at === "campaigns.task") return "%distribute_users%";
  if (at === "lead_types.team_settings") return `%${kind}_id%`;
  return "%";
}

/** SQL: whether the row names the record `?1`. Texts may be JSON with its id. */
function names(reference: Reference): string {
  const { table, column, kind } = reference;
  const at = `${table}.${column}`;
  const ofKind = at === "custom_values.owner"
    ? ` and field in (select seq from fields where owner_type = '${kind}')`
    : kindColumns[at]
    ? ` and "${kindColumns[at]}" = '${kind}'`
    : "";
  const type = configs.get(table)!.columns.find(({ name }) => name === column)!.getSQLType();
  if (type !== "text") return `"${column}" = ?1${ofKind}`;
  if (kind === "field" && column === "filter") return `instr("filter", ?1) > 0`;
  if (isText(column) && kind === "field") {
    return `instr("${column}", (select owner_type || '.custom.' || name from fields where id = ?1)) > 0`;
  }
  return `("${column}" = ?1 or (json_valid("${column}") and exists (select 1 from json_tree("${column}") j
    where j.fullkey like '${matchMembers(reference)}' and (j.atom = ?1
    or (j.key = ?1 and j.type <> 'object')))
    ))${ofKind}`;
}

/** A row that names the record, with what the column held. */
export interface Naming {
  readonly rowid: number;
  readonly value: Value;
}

export async function findNaming(app: TestApp, of: Reference, id: string | number): Promise<Naming[]> {
  if (withoutRowid.has(of.table)) return [];
  const rows = await app.sql(
    `select rowid as row, "${of.column}" as value from ${of.table} where ${names(of)}`,
    id,
  );
  return rows.map(({ row, value }) => ({ rowid: Number(row), value: value as Value }));
}

/** Whether a column holds a text with placeholders. */
function isText(column: string): boolean {
  return ["subject", "content"].includes(column);
}

/** A text with the placeholder of the field. */
async function fieldText(app: TestApp, id: string | number): Promise<string | null> {
  const [field] = await app.sql("select owner_type, name from fields where id = ?", id);
  return field!.owner_type === "product" ? null : `Dear {{${field!.owner_type}.custom.${field!.name}}}`;
}

/** A condition of a filter on the field, or on the field of the option. Filters name no fields of products. */
async function fieldCondition(app: TestApp, id: string | number): Promise<string | null> {
  const [field] = await app.sql(
    "select id, owner_type from fields where (id = ?1 or options like '%' || ?1 || '%') and owner_type <> 'product'",
    id,
  );
  if (!field) return null;
  const condition = field.id === id ? { operator: "exists", value: true } : { operator: "nin", value: [id] };
  return JSON.stringify([{ field: `${field.owner_type}.custom_fields.id.${field.id}`, ...condition }]);
}

/** What a column of JSON holds that names the record. */
function plantJson({ table, column, kind }: Reference, id: string | number): string | number | null {
  const list = JSON.stringify([id]);
  const at = `${table}.${column}`;
  if (column === "filter" || column === "query_names") {
    const fields: Partial<Record<DeletableKind, string>> = {
      team: "contact.team_id",
      user: "case.tasks.user_id",
      lead_type: "lead.lead_type_id",
      relations_path: "case.relations_path_id",
      activity_type: "case.milestones.id",
      category: "product_detail.product.category",
    };
    const field = fields[kind];
    return field ? JSON.stringify([{ field, operator: "nin", value: [id] }]) : null;
  }
  if (at === "scheduled_reports.filters") {
    const name = kind === "relations_path" ? "relation_path_ids" : `${kind}_ids`;
    return JSON.stringify({ [name]: [id] });
  }
  const lists = [
    "activity_types.automated_communications",
    "automated_messages.attachments",
    "correspondences.file_ids",
    "cases.product_ids",
    "leads.product_ids",
    "deliveries.hidden_fields",
    "ranks.members",
    "lead_types.relations_path_ids",
    "lead_types.escalation_user_ids",
    "invitations.role_ids",
    "invitations.team_ids",
  ];
  if (lists.includes(at)) return list;
  if (at === "automated_messages.chosen_by") return JSON.stringify({ template: id });
  if (at === "stream_events.data") return JSON.stringify({ rank: { id, name: "Won" } });
  if (at === "lead_types.team_settings") {
    return JSON.stringify([{ team_id: 0, user_id: 0, relations_path_id: "", [`${kind}_id`]: id }]);
  }
  const json = [
    "links",
    "items",
    "custom",
    "activity_types",
    "extra_steps",
    "product_details",
    "task",
    "payload",
  ];
  return json.includes(column) ? null : id;
}

/** What the column holds that names the record; null when no row can. */
async function makeValue(app: TestApp, of: Reference, id: string | number): Promise<string | number | null> {
  const { column, kind } = of;
  if (column === "filter" && ["field", "option"].includes(kind)) return await fieldCondition(app, id);
  return kind === "field" && isText(column) ? await fieldText(app, id) : plantJson(of, id);
}

/** A set that a report uses stays, although its maker is gone. */
const unusedSet = "id not in (select indicator_set_id from scheduled_reports)";

/** Lets the newest row of the company name the record. Returns the row; null where no row can. */
export async function plant(
  app: TestApp,
  of: Reference,
  id: string | number,
  companyId: number,
): Promise<{ readonly rowid: number; readonly undo: () => Promise<void> } | null> {
  const { table, column, kind } = of;
  const at = `${table}.${column}`;
  const { columns } = configs.get(table)!;
  const value = await makeValue(app, of, id);
  if (withoutRowid.has(table) || byRowid[at]) return null;
  const isPrivate = column === "private_to";
  if (value === null || (columns.find(({ name }) => name === column)!.generated && !isPrivate)) return null;
  const has = (name: string) => columns.some((one) => one.name === name);
  const scoped = table === "companies"
    ? "id"
    : columns.some(({ name }) => name === "company_id") && "company_id";
  const [row] = await app.sql(
    `select max(rowid) as row from ${table} where ${scoped ? `${scoped} = ${companyId}` : "1"}
      and ${has("id") && scoped !== "id" ? "id <> ?1" : "?1 = ?1"}
      and ${isPrivate && table === "indicator_sets" ? unusedSet : "1"}`,
    id,
  );
  if (row!.row === null) return null;
  const also = kindColumns[at] ? { [kindColumns[at]]: kind } : {};
  // It follows from the maker of a private record, which has no team and no group.
  const set: Record<string, Value> = isPrivate
    ? { [has("user_id") ? "user_id" : "created_by"]: value, private: 1, team_id: null, group_id: null }
    : { [column]: value, ...also };
  // A record belongs to a team or to a group, and what lies at a root to no folder.
  if (column === "group_id" && has("team_id") && has("owner")) set.team_id = null;
  if (column === "belongs_to_id") set.folder_id = null;
  const names = Object.keys(set);
  const [before] = await app.sql(
    `select ${names.map((name) => `"${name}"`).join(", ")} from ${table} where rowid = ?`,
    Number(row!.row),
  );
  const write = (values: Record<string, Value>) =>
    app.deps.db.write([{
      sql: `update ${table} set ${names.map((name) => `"${name}" = ?`).join(", ")} where rowid = ?`,
      args: [...names.map((name) => values[name] ?? null), Number(row!.row)],
    }]);
  try {
    await write(set);
  } catch {
    return null;
  }
  return { rowid: Number(row!.row), undo: async () => void await write(before as Record<string, Value>) };
}

/** What the removal made of a row that named the record. */
export async function assertTrue(
  app: TestApp,
  of: Reference,
  id: string | number,
  { rowid, value }: Naming,
  heir: string | number | null,
): Promise<void> {
  const effect = chooseEffect(of, heir !== null);
  const word = chooseWord(effect);
  const successor = heir === null ? "without" : "with";
  const about = `${of.table}.${of.column} of a removed ${of.kind}, ${successor} successor`;
  const [row] = await app.sql(
    `select "${of.column}" as value, ${names(of)} as names from ${of.table} where rowid = ?2`,
    id,
    rowid,
  );
  if (word === "cascade") assert.ok(!row || row.names !== 1, `${about}: the row remains`);
  if (word === "clear") {
    assert.ok(row, `${about}: the row is gone`);
    assert.notEqual(row.names, 1, `${about}: it still names it`);
  }
  if (word === "keep") {
    assert.ok(row, `${about}: the row is gone`);
    assert.equal(row.value, value, about);
    if (["team_id", "group_id"].includes(of.column)) await assertKept(app, of, rowid, about);
  }
  if (word === "reassign") {
    assert.ok(row, `${about}: the row is gone`);
    assert.notEqual(row.names, 1, `${about}: it still names it`);
    assert.ok(String(row.value).includes(String(heir)), `${about}: ${row.value} is not the successor`);
  }
  if (typeof effect === "object" && "stop" in effect) await assertStopped(app, of, rowid, effect.stop, about);
}

/** A record of a removed team or group is kept for its maker. */
async function assertKept(app: TestApp, { table }: Reference, rowid: number, about: string) {
  if (!configs.get(table)!.columns.some(({ name }) => name === "kept_for")) return;
  const [row] = await app.sql(`select kept_for from ${table} where rowid = ?`, rowid);
  assert.notEqual(row!.kept_for, null, `${about}: its maker no longer sees it`);
}

async function assertStopped(app: TestApp, of: Reference, rowid: number, why: string, about: string) {
  if (of.table === "scheduled_reports") {
    const [row] = await app.sql("select next_date, failure from scheduled_reports where rowid = ?", rowid);
    assert.equal(row!.next_date, null, about);
    assert.ok(row!.failure, about);
    return;
  }
  const [row] = await app.sql(`select stopped_reason as reason from ${of.table} where rowid = ?`, rowid);
  assert.ok(row!.reason, `${about}: no reason`);
  // Several causes may stop it at once; the words of this one stand in the declaration.
  assert.ok(why.length > 0);
  if (of.table !== "campaigns") return;
  const [campaign] = await app.sql("select status, stage from campaigns where rowid = ?", rowid);
  assert.deepEqual([campaign!.status, campaign!.stage], ["draft", null], about);
}
