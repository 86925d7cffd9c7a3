/** Each feature declares what its columns name, and what happens when that is removed. */
import assert from "node:assert/strict";
import { is } from "drizzle-orm";
import { getTableConfig, index, integer, SQLiteTable, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { collectParts } from "../../src/contributions.ts";
import { listCascades, makeDeleteNaming } from "../../src/db/cascades.ts";
import { listClears, makeClearNaming } from "../../src/db/clears.ts";
import {
  block,
  cascadeAtOnce,
  clearAtOnce,
  declareReferences,
  deletableKinds,
  type Effect,
  type Effects,
  keepFor,
  leaveTo,
  reassignAtOnce,
  References,
  stop,
} from "../../src/db/references.ts";
import { makeStopNaming } from "../../src/db/stops.ts";
import type { Author } from "../../src/db/commit.ts";
import { makeReassignNaming } from "../../src/db/successors.ts";
import { folders } from "../../src/library/table.ts";
import { campaigns } from "../../src/messages/campaigns/record.ts";
import { sql } from "../../src/db/statements.ts";
import { references, tables } from "../../src/schema.ts";
import { readSources } from "./imports.ts";

const parts: readonly unknown[] = [...tables, ...references];

Deno.test("every column that looks like a reference is declared beside its table", () => {
  assert.deepEqual(findUndeclared(parts), []);
});

Deno.test("every table declares its references once", () => {
  const names = declarations(parts).map(({ table }) => table);
  assert.deepEqual(names.filter((name, place) => names.indexOf(name) !== place), []);
});

Deno.test("an undeclared column is found, by its foreign key, its name or its filter", () => {
  const things = sqliteTable("things", {
    id: text().primaryKey(),
    company_id: integer(),
    place: text().references(() => folders.id),
    team_id: integer(),
    user_ids: text(),
    created_by: integer(),
    kept_for: integer(),
    filters: text(),
    name: text(),
  }, (table) => [index("things_by_team").on(table.team_id)]);
  assert.deepEqual(findUndeclared([things]), [
    "things.place",
    "things.team_id",
    "things.user_ids",
    "things.created_by",
    "things.kept_for",
    "things.filters",
  ]);
  const some = declareReferences(things, { team_id: { team: "keep" }, filters: "no filter" });
  assert.deepEqual(findUndeclared([things, some]).length, 4);
});

Deno.test("a record that goes at once takes the rows that name it", () => {
  const homes = sqliteTable("homes", { id: integer().primaryKey(), user_id: integer(), team_id: integer() });
  const doors = sqliteTable("doors", { id: integer().primaryKey(), home_id: integer() });
  const some = [
    declareReferences(homes, {
      user_id: { user: cascadeAtOnce },
      team_id: { team: leaveTo("a.ts#b", "cascade") },
    }, {
      kind: "device",
      key: "id",
    }),
    declareReferences(doors, { home_id: { device: cascadeAtOnce } }),
  ];
  assert.deepEqual(listCascades(some, "team"), []);
  assert.deepEqual(makeDeleteNaming(some)("user", sql`${7}`), [
    {
      sql: "delete from doors where home_id in (select id from homes where user_id in (?))",
      args: [7],
    },
    { sql: "delete from homes where user_id in (?)", args: [7] },
  ]);
});

Deno.test("an index finds the rows that go at once", () => {
  const indexed = new Set(
    tables.map((table) => getTableConfig(table)).flatMap((table) =>
      [
        ...table.indexes.filter((index) => !index.config.where).map((index) => index.config.columns[0]),
        ...table.primaryKeys.map((key) => key.columns[0]),
        ...table.columns.filter((column) => column.primary),
      ].map((column) => `${table.name}.${column && "name" in column ? column.name : ""}`)
    ),
  );
  const bare = atOnce().filter((name) => !indexed.has(name));
  assert.deepEqual(bare, []);
  assert.ok(atOnce().length > 20, "the declarations are read");
});

Deno.test("a record that is cleared at once leaves its column or list, and what shows it gets a new version", () => {
  const homes = sqliteTable("homes", {
    id: integer().primaryKey(),
    team_ids: text(),
    template_id: integer(),
  });
  const doors = sqliteTable("doors", {
    id: integer().primaryKey(),
    home_id: integer(),
    template_id: integer(),
  });
  const some = [
    declareReferences(homes, {
      team_ids: { team: clearAtOnce({ list: true }) },
      template_id: { template: block("home", { forced: clearAtOnce() }) },
    }),
    declareReferences(doors, {
      template_id: {
        template: clearAtOnce({ partOf: { table: "homes", by: "home_id" } }),
        team: leaveTo("a.ts#b", "clear"),
      },
    }),
  ];
  const clearNaming = makeClearNaming(some);
  assert.deepEqual(clearNaming({ at: "now" }, "team", { company_id: 3, id: 7 }), [{
    sql: "update homes set team_ids = (select json_group_array(each.value order by each.key) from " +
      "json_each(team_ids) each\n      where each.value <> ?), updated_at = ?, version = version + 1 " +
      "where company_id = ? and team_ids <> '[]'\n      and exists (select 1 from json_each(team_ids) each " +
      "where each.value = ?)",
    args: [7, "now", 3, 7],
  }]);
  assert.deepEqual(clearNaming({ at: "now" }, "template", { company_id: 3, id: 7 }), [
    {
      sql: "update homes set template_id = null, updated_at = ?, version = version + 1 " +
        "where company_id = ? and template_id = ?",
      args: ["now", 3, 7],
    },
    {
      sql:
        "update homes set updated_at = ?, version = version + 1\n      where id in (select home_id from doors " +
        "where company_id = ? and template_id = ?)",
      args: ["now", 3, 7],
    },
    { sql: "update doors set template_id = null where company_id = ? and template_id = ?", args: [3, 7] },
  ]);
});

Deno.test("what a record says of a successor happens with one, and without one", () => {
  const homes = sqliteTable("homes", {
    id: integer().primaryKey(),
    user_id: integer(),
    team_id: integer(),
    group_id: integer(),
    door: integer(),
  });
  const doors = sqliteTable("doors", { id: integer().primaryKey(), home_id: integer() });
  const windows = sqliteTable("windows", { id: integer().primaryKey(), home_id: integer() });
  const byKey = { rows: (id: string | number) => sql`key = ${`t${id}`}` };
  const some = [
    declareReferences(homes, {
      user_id: { user: [reassignAtOnce({ set: "owner_id" }), cascadeAtOnce] },
      team_id: { team: [stop("it is gone", { then: reassignAtOnce(byKey) }), keepFor("user_id", byKey)] },
      group_id: { group: keepFor("user_id") },
      door: { team: [reassignAtOnce(), clearAtOnce()] },
    }, { kind: "device", key: "id" }),
    declareReferences(doors, { home_id: { device: block("door") } }),
    declareReferences(windows, { home_id: { device: cascadeAtOnce } }),
  ];
  const change = (kind: "user" | "team" | "group", successor: number | null) =>
    makeReassignNaming(some)({ at: "now" }, kind, { company_id: 3, id: 7 }, successor).map((
      { sql, args },
    ) => [
      sql.replaceAll(/\s+/g, " "),
      ...args,
    ]);
  assert.deepEqual(change("user", 9), [[
    "update homes set owner_id = ?, updated_at = ?, version = version + 1 where company_id = ? and user_id = ?",
    ...[9, "now", 3, 7],
  ]]);
  const unblocked = "homes where company_id = ? and user_id = ? " +
    "and not (0 or exists (select 1 from doors where doors.home_id = homes.id))";
  assert.deepEqual(change("user", null), [
    [`delete from windows where home_id in (select id from ${unblocked})`, 3, 7],
    [`delete from ${unblocked}`, 3, 7],
  ]);
  assert.deepEqual(change("team", 9), [
    [
      "update homes set team_id = ?, updated_at = ?, version = version + 1 where company_id = ? and key = ?",
      ...[9, "now", 3, "t7"],
    ],
    [
      "update homes set door = ?, updated_at = ?, version = version + 1 where company_id = ? and door = ?",
      ...[9, "now", 3, 7],
    ],
  ]);
  assert.deepEqual(change("team", null), [
    ["update homes set kept_for = user_id, version = version + 1 where company_id = ? and key = ?", 3, "t7"],
    [
      "update homes set door = null, updated_at = ?, version = version + 1 where company_id = ? and door = ?",
      ...["now", 3, 7],
    ],
  ]);
  assert.deepEqual(change("group", null), [
    [
      "update homes set kept_for = user_id, version = version + 1 where company_id = ? and group_id = ?",
      3,
      7,
    ],
  ]);
});

Deno.test("records that name a deleted one stop by the stops of their table, where no function is named", () => {
  const homes = sqliteTable("homes", {
    id: integer().primaryKey(),
    user_id: integer(),
    team_id: integer(),
    filter: text(),
  });
  const some = [
    declareReferences(homes, {
      user_id: { user: [stop("its user is gone"), "keep"] },
      team_id: { team: stop("its team is gone", { rows: (id) => sql`key = ${`t${id}`}` }) },
      filter: { team: stop("its filter is done", { by: "a.ts#b" }) },
    }),
  ];
  const stopNaming = makeStopNaming(some, [{
    table: "homes",
    stop: (_author, companyId, rows, why) => [sql`update homes ${companyId} ${rows} ${why}`],
  }]);
  const stopHomes = (kind: "user" | "team", successor: number | null) =>
    stopNaming({} as Author, kind, { company_id: 3, id: 7 }, successor).map((
      { sql, args },
    ) => [sql, ...args]);
  assert.deepEqual(stopHomes("user", 9), [["update homes ? user_id = ? ?", 3, 7, "its user is gone"]]);
  assert.deepEqual(stopHomes("user", null), []);
  assert.deepEqual(stopHomes("team", null), [["update homes ? key = ? ?", 3, "t7", "its team is gone"]]);
});

Deno.test("what is declared to change is changed by the declaration, or by a function that is called", () => {
  assert.deepEqual(findUnhandled(declarations(parts)), []);
  const homes = sqliteTable("homes", { id: integer().primaryKey(), team_id: integer(), user_id: integer() });
  const fault = (effects: unknown) => {
    const declared = declareReferences(homes, { team_id: { team: effects as Effects } });
    return findUnhandled([declared]).map((found) => found.replace("homes.team_id of team: ", ""));
  };
  assert.deepEqual(fault("cascade"), ["cascade is done by nothing"]);
  assert.deepEqual(fault({ then: "clear" }), ["clear is done by nothing"]);
  assert.deepEqual(fault(["reassign", "keep"]), ["reassign is done by nothing"]);
  assert.deepEqual(fault({ stop: "it is gone", then: "keep" }), ["stop is done by nothing"]);
  assert.deepEqual(fault(leaveTo("sales/gone.ts#reassignCase", "step")), ["sales/gone.ts is no file"]);
  assert.deepEqual(fault(leaveTo("sales/deletion/teams.ts#gone", "step")), [
    "sales/deletion/teams.ts exports no gone",
  ]);
  assert.deepEqual(fault(leaveTo("db/references.ts#leaveTo", "step")), []);
  assert.deepEqual(fault(leaveTo("sales/deletion/remove_cases.ts#deleteCaseRows", "cascade")), [
    "sales/deletion/remove_cases.ts#deleteCaseRows does not name the table",
  ]);
  // Only users, teams and groups have successors and makers, and their deletions alone stop by the declaration.
  const ofCampaigns = (effects: unknown) =>
    findUnhandled([declareReferences(campaigns, { template_id: { template: effects as Effects } })]);
  const about = "campaigns.template_id of template:";
  assert.deepEqual(ofCampaigns(stop("it is gone")), [`${about} stop is done by nothing`]);
  assert.deepEqual(ofCampaigns(keepFor("user_id")), [`${about} keep is done by nothing`]);
  const stoppedAndKept = stop("it is gone", { by: "db/references.ts#stop", then: keepFor("user_id") });
  assert.deepEqual(ofCampaigns(stoppedAndKept), [`${about} keep is done by nothing`]);
  assert.deepEqual(fault(leaveTo("db/blockers.ts#makeBlocker", "step")), [
    "db/blockers.ts exports no makeBlocker",
  ]);
});

Deno.test("the deletion of a record calls what the declarations do at once", () => {
  const texts = readSources(new URL("../../", import.meta.url)).filter(({ path }) => path.startsWith("src/"));
  const isCalled = (call: RegExp) => texts.some(({ text }) => call.test(text));
  const named = declarations(parts);
  const clearing = deletableKinds.filter((kind) => listClears(named, kind).length > 0);
  const cascading = deletableKinds.filter((kind) => listCascades(named, kind).length > 0);
  // A newcomer's declaration works for owners although no table has it yet.
  for (const kind of new Set([...clearing, ...owners])) {
    assert.ok(isCalled(new RegExp(`clearNaming\\(\\w+, "${kind}"`)), `clearNaming of ${kind}`);
  }
  for (const kind of new Set([...cascading, ...owners])) {
    assert.ok(isCalled(new RegExp(`deleteNaming\\("${kind}"`)), `deleteNaming of ${kind}`);
  }
  for (const kind of owners) {
    const change = `changeRecordsOf${kind[0]!.toUpperCase()}${kind.slice(1)}`;
    assert.ok(isCalled(new RegExp(`${change}\\b[^;]*\\bchange\\(author, "${kind}"`)), `${change} of ${kind}`);
    for (const naming of ["reassignNaming", "stopNaming"]) {
      assert.ok(isCalled(new RegExp(`${change}\\(${naming}\\)`)), `${naming} of ${kind}`);
    }
  }
});

Deno.test("an index finds the rows that are cleared, a list by its company", () => {
  const indexed = tables.map((table) => getTableConfig(table)).flatMap((table) =>
    table.indexes.map(({ config }) =>
      [
        table.name,
        ...config.columns.slice(0, 2).map((column) => "name" in column ? column.name : ""),
      ].join(".")
    )
  );
  const bare = listCleared().filter(({ table, column, how }) =>
    !indexed.some((name) => `${name}.`.startsWith(`${table}.company_id.${how.list ? "" : `${column}.`}`))
  );
  assert.deepEqual(bare, []);
  assert.ok(listCleared().length > 5, "the declarations are read");
});

Deno.test("columns that are declared to be cleared at once are cleared by nothing else", () => {
  const columns = new Set(listCleared().map(({ table, column }) => `${table}.${column}`));
  assert.deepEqual(clearedByHand(columns), {});
  assert.notDeepEqual(clearedByHand(new Set(["lead_types.team_settings"])), {}, "the statements are read");
});

/** Files that delete such rows by the column although the record stays. */
const otherReasons: Readonly<Record<string, readonly string[]>> = {
  // Sign-ins that end, and those of an application that has a new owner.
  "identity/auth/own_sessions.ts": ["sessions.user_id"],
  "identity/tokens/revoke.ts": [
    "access_tokens.client_id",
    "access_tokens.user_id",
    "authorization_codes.user_id",
    "device_codes.user_id",
    "refresh_tokens.user_id",
    "sessions.user_id",
  ],
  "identity/users/sign_in.ts": ["password_resets.user_id"],
  // An export whose file is written.
  "insight/exports/write.ts": ["report_export_rows.export_id"],
  // A trigger, whose text a migration has.
  "messages/correspondence/triggers.ts": ["attachments.file_id"],
  // A change of the record replaces them.
  "identity/roles/update.ts": ["role_rights.role_id"],
  "identity/roles/write.ts": ["user_roles.user_id"],
  "identity/teams/write.ts": ["team_members.user_id"],
  "insight/scheduled/write.ts": ["scheduled_report_recipients.report_id"],
  "library/write.ts": ["file_permissions.file_id"],
  "messages/automated/communications.ts": ["automated_messages.definition_id"],
  "sales/products/write.ts": ["products_in_categories.product_id", "related_products.product_id"],
  "sales/relations_paths/activity_types.ts": ["activity_types.relations_path_id"],
};

Deno.test("rows that are declared to go at once are deleted by nothing else", () => {
  assert.deepEqual(deletedByHand(), otherReasons);
});

Deno.test("a row that others name is deleted together with them", () => {
  const named = declarations(parts).filter(({ as }) => as);
  const deleting = named.flatMap(({ table, as }) =>
    deletions().filter(({ rows }) => rows.some((row) => row.startsWith(`${table}.`)))
      .map(({ path, text }) => ({ path, isWhole: text.includes(`deleteNaming("${as!.kind}"`) }))
  );
  assert.deepEqual(deleting.filter(({ isWhole }) => !isWhole), []);
  assert.ok(deleting.length > 1, "the deletions are read");
});

/** What has a successor or makers, and whose deletion stops records by their declarations. */
const owners = ["user", "team", "group"] as const;

/** The tables with a `stops`. */
const stopping = new Set(collectParts("stops").map(({ table }) => table));

/** The effects that neither the declaration nor called code does. */
function findUnhandled(of: readonly References[]): string[] {
  const sources = new Map(
    readSources(new URL("../../", import.meta.url)).filter(({ path }) => path.startsWith("src/"))
      .map(({ path, text }) => [path.replace("src/", ""), text]),
  );
  return of.flatMap(({ table, columns }) =>
    Object.entries(columns).flatMap(([column, declared]) =>
      typeof declared === "string"
        ? []
        : Object.entries(declared).flatMap(([kind, effects]) =>
          listEffects(effects).flatMap((effect) => findFault({ table, kind }, effect, sources))
            .map((fault) => `${table}.${column} of ${kind}: ${fault}`)
        )
    )
  );
}

function findFault(
  of: { readonly table: string; readonly kind: string },
  effect: Effect,
  sources: ReadonlyMap<string, string>,
): string[] {
  const isOfOwners = owners.some((kind) => kind === of.kind);
  if (effect === "keep") return [];
  if (typeof effect === "string") return [`${effect} is done by nothing`];
  if ("block" in effect) return effect.by.forced ? findFault(of, effect.by.forced, sources) : [];
  if ("atOnce" in effect) {
    return isOfOwners || !["reassign", "keep"].includes(effect.then)
      ? []
      : [`${effect.then} is done by nothing`];
  }
  const further = "stop" in effect ? findFault(of, effect.then, sources) : [];
  const by: string | undefined = effect.by;
  const word = "stop" in effect ? "stop" : effect.then;
  if (!by && word === "stop" && isOfOwners && stopping.has(of.table)) return further;
  if (!by) return [`${word} is done by nothing`, ...further];
  const [path, name] = by.split("#");
  const text = sources.get(path!);
  if (text === undefined) return [`${path} is no file`, ...further];
  if (!new RegExp(`^export (async )?(function|const) ${name}\\b`, "m").test(text)) {
    return [`${path} exports no ${name}`, ...further];
  }
  if (word === "cascade" && !namesTable(text, of.table)) return [`${by} does not name the table`, ...further];
  // The feature lists the files with its triggers.
  const isCalled = path!.endsWith("/triggers.ts") || [...sources].some(([, text]) => {
    const code = text.replaceAll(
      /^ *(\/\*\*|\*|\/\/).*$|^import [^;]*;$|^export (async )?(function|const) \w+/gm,
      "",
    );
    return new RegExp(`(?<![#\\w])${name}\\b`).test(code);
  });
  return isCalled ? further : [`nothing calls ${name} of ${path}`, ...further];
}

/** Whether a source names the table, by its name or its variable. */
function namesTable(text: string, table: string): boolean {
  const variable = table.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return new RegExp(`\\b(${table}|${variable})\\b`).test(text);
}

function listEffects(effects: unknown): readonly Effect[] {
  return Array.isArray(effects) ? effects : [effects as Effect];
}

/** The columns that are declared with `cascadeAtOnce`, such as `devices.user_id`. */
function atOnce(): string[] {
  const named = declarations(parts);
  const all = deletableKinds.flatMap((kind) => listCascades(named, kind));
  return [...new Set(all.map(({ table, column }) => `${table}.${column}`))].toSorted();
}

/** The columns that are declared with `clearAtOnce`. */
function listCleared() {
  const named = declarations(parts);
  return deletableKinds.flatMap((kind) => listClears(named, kind));
}

/** The columns, such as `campaigns.template_id`, that statements of the sources set, by file. */
function clearedByHand(columns: ReadonlySet<string>): Record<string, string[]> {
  const files = readSources(new URL("../../", import.meta.url)).filter(({ path }) => path.startsWith("src/"));
  return Object.fromEntries(files.flatMap(({ path, text }) => {
    const set = [...text.matchAll(/update (\w+) set\b([^`]*)/g)].flatMap(([, table, rest]) =>
      [...rest!.matchAll(/\b(\w+) = (?:null|\(select json_group_array)/g)].map(([, column]) =>
        `${table}.${column}`
      )
    );
    const found = set.filter((name) => columns.has(name));
    return found.length > 0 ? [[path, found]] : [];
  }));
}

/** The columns of `atOnce` by which the sources delete rows, by file. */
function deletedByHand(): Record<string, string[]> {
  const columns = new Set(atOnce());
  const found: Record<string, string[]> = {};
  for (const { path, rows } of deletions()) {
    const named = rows.filter((name) => columns.has(name));
    if (named.length > 0) found[path.replace(/^src\//, "")] = named;
  }
  return found;
}

/** What the sources delete, by file: the tables with the columns by which rows are chosen, such as `devices.user_id`. */
function deletions(): { path: string; text: string; rows: string[] }[] {
  const sources = readSources(new URL("../../", import.meta.url)).filter(({ path }) =>
    path.startsWith("src/")
  );
  const variables = new Map(
    sources.flatMap(({ text }) =>
      [...text.matchAll(/export const (\w+) = sqliteTable\(\s*"(\w+)"/g)].map((
        [, name, table],
      ) => [name!, table!])
    ),
  );
  return sources.map(({ path, text }) => {
    const sqls = [...text.matchAll(/delete from (\w+)\s+where (\w+)/g)].map(([, table, column]) =>
      `${table}.${column}`
    );
    const removes = [...text.matchAll(/\bremove\((\w+), \{ (\w+)(?:: [\w.]+)?(?:, [\w.: ]+)* \}\)/g)].map((
      [, table, column],
    ) => `${variables.get(table!)}.${column}`);
    return { path, text, rows: [...new Set([...sqls, ...removes])].toSorted() };
  });
}

function declarations(of: readonly unknown[]): References[] {
  return of.filter((part) => part instanceof References);
}

/** The columns that look like references and are declared by nobody, such as `tasks.user_id`. */
function findUndeclared(of: readonly unknown[]): string[] {
  const declared = new Map(declarations(of).map(({ table, columns }) => [table, columns]));
  return of.filter((part) => is(part, SQLiteTable)).map((table) => getTableConfig(table)).flatMap((table) => {
    const keys = new Set(
      table.foreignKeys.flatMap((key) => key.reference().columns.map(({ name }) => name)),
    );
    return table.columns.map(({ name }) => name)
      .filter((name) => name !== "company_id" && (keys.has(name) || isNamedLikeOne(name)))
      .filter((name) => declared.get(table.name)?.[name] === undefined)
      .map((name) => `${table.name}.${name}`);
  });
}

function isNamedLikeOne(name: string): boolean {
  return /_(ids?|by|for)$|^filters?$/.test(name);
}
