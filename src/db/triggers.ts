/**
 * Triggers and full-text indexes, which Drizzle tables do not describe. Each feature declares its own beside
 * its tables, `src/triggers.ts` lists them, and `deno task db:generate` writes the migration that creates
 * them.
 */

/** A trigger or a virtual table, with the statement that creates it. */
export interface SchemaObject {
  readonly type: "trigger" | "table";
  readonly name: string;
  readonly sql: string;
}

/** A trigger: `when` is SQL such as `after insert on users`, `body` its statements. */
export function trigger(name: string, when: string, ...body: string[]): SchemaObject {
  const statements = body.map((statement) => `  ${statement};`).join("\n");
  return { type: "trigger", name, sql: `create trigger ${name} ${when} begin\n${statements}\nend` };
}

/** How the counters in `totals` of a table are split. */
interface Counted {
  readonly table: string;
  /** The name of the counters; by default the table's. */
  readonly kind?: string;
  /** Counts by `team_id`; 0 for none. */
  readonly byTeam?: boolean;
  /** Counts by this column. */
  readonly byStatus?: string;
  /** Counts by this column of team ids, in `agency_team_id`; 0 for none. */
  readonly byAgency?: string;
  /** Counts only rows that meet this condition; `#` stands for the row. */
  readonly only?: string;
  /** Columns whose update can change the counter. */
  readonly columns?: readonly string[];
}

/** Triggers that keep `totals` exact for a table, so that a list knows its total without counting. */
export function makeTotalTriggers(
  { table, kind = table, byTeam, byStatus, byAgency, only, columns }: Counted,
): SchemaObject[] {
  const team = (row: string) => byTeam ? `ifnull(${row}.team_id, 0)` : "0";
  const status = (row: string) => byStatus ? `${row}.${byStatus}` : "''";
  const agency = (row: string) => byAgency ? `ifnull(${row}.${byAgency}, 0)` : "0";
  const holds = (row: string) => only?.replaceAll("#", row);
  const enter = "insert into totals (company_id, kind, team_id, status, agency_team_id, n)\n" +
    `    values (new.company_id, '${kind}', ${team("new")}, ${status("new")}, ${agency("new")}, 1)\n` +
    "    on conflict (company_id, kind, team_id, status, agency_team_id) do update set n = n + 1";
  const leave = "update totals set n = n - 1 where company_id = old.company_id\n" +
    `    and kind = '${kind}' and team_id = ${team("old")} and status = ${status("old")}\n` +
    `    and agency_team_id = ${agency("old")}`;
  const when = (...conditions: (string | undefined)[]) => {
    const given = conditions.filter((condition) => condition !== undefined);
    return given.length > 0 ? ` when ${given.join(" and ")}` : "";
  };
  const objects = [
    trigger(`${kind}_total_insert`, `after insert on ${table}${when(holds("new"))}`, enter),
    trigger(`${kind}_total_delete`, `after delete on ${table}${when(holds("old"))}`, leave),
  ];
  if (!columns) return objects;
  const moved = `(${columns.map((column) => `old.${column} is not new.${column}`).join(" or ")})`;
  const updated = `after update of ${columns.join(", ")} on ${table}`;
  return [
    ...objects,
    trigger(`${kind}_total_leave`, `${updated}${when(moved, holds("old"))}`, leave),
    trigger(`${kind}_total_enter`, `${updated}${when(moved, holds("new"))}`, enter),
  ];
}

/** Triggers that count changes of a table in `caller_changes`, which marks cached callers as outdated. */
export function makeCallerTriggers(
  table: string,
  on: readonly ("insert" | "update" | "delete")[] = ["insert", "update", "delete"],
): SchemaObject[] {
  return on.map((verb) =>
    trigger(
      `${table}_caller_changes_${verb}`,
      `after ${verb} on ${table}`,
      "update caller_changes set n = n + 1",
    )
  );
}

/**
 * The full-text index of the words of a table's rows. `key`: the column that is its row id. The feature writes the
 * words; a trigger deletes those of deleted rows.
 */
export function makeWordIndex(table: string, key: "id" | "seq"): SchemaObject[] {
  const name = `${table}_search`;
  return [
    {
      type: "table",
      name,
      sql: `create virtual table ${name} using fts5(words, content='', contentless_delete=1, detail=none, ` +
        "tokenize='ascii')",
    },
    trigger(`${name}_delete`, `after delete on ${table}`, `delete from ${name} where rowid = old.${key}`),
  ];
}

/** A trigger that copies columns of a parent row to the rows that refer to it, when the columns change. */
export function copyTrigger(
  name: string,
  parent: string,
  columns: readonly string[],
  statement: string,
): SchemaObject {
  const moved = columns.map((column) => `old.${column} is not new.${column}`).join(" or ");
  return trigger(name, `after update of ${columns.join(", ")} on ${parent} when ${moved}`, statement);
}

/**
 * Returns the statements of a migration from the objects that a database has to the declared ones; empty when they
 * are equal. An empty database also gets the row that `makeCallerTriggers` count in.
 */
export function writeMigration(
  declared: readonly SchemaObject[],
  created: readonly SchemaObject[],
): string[] {
  const had = new Map(created.map(({ name, sql }) => [name, sql]));
  const wanted = new Map(declared.map(({ name, sql }) => [name, sql]));
  const firstRow = created.length === 0 ? ["insert into caller_changes (id, n) values (1, 0)"] : [];
  return [
    ...created.filter(({ name, sql }) => wanted.get(name) !== sql).map(({ type, name }) =>
      `drop ${type} ${name}`
    ),
    ...declared.filter(({ name, sql }) => had.get(name) !== sql).map(({ sql }) => sql),
    ...firstRow,
  ];
}

/** SQL: reads the triggers and virtual tables of a database, in the form of `SchemaObject`. */
export const createdObjects =
  "select type, name, replace(replace(sql, 'CREATE TRIGGER', 'create trigger'), 'CREATE VIRTUAL TABLE', " +
  "'create virtual table') as sql from sqlite_master where type = 'trigger' or sql like 'create virtual%' order by rowid";
