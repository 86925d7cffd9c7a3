/**
 * Triggers of the library: usage of companies, readers and totals of files, items in folders and roots,
 * search.
 */
import { makeWordIndex, type SchemaObject, trigger } from "../db/triggers.ts";

const use = "insert into file_usage (company_id, files, bytes) values (new.company_id, 1, new.size)\n" +
  "    on conflict (company_id) do update set files = files + 1, bytes = bytes + excluded.bytes";
/** SQL: the bytes of the published picture of a row. Its object stays until after the row. */
const picture = (row: "new" | "old") =>
  `ifnull((select o.bytes from objects o where o.key = ${row}.picture_key), 0)`;

const release = `update file_usage set files = files - 1, bytes = bytes - old.size - ${picture("old")}\n` +
  "    where company_id = old.company_id";

/**
 * SQLite before 3.44 has no `order by` inside an aggregate: such a trigger made the whole file unreadable for
 * the tools of Debian stable. An aggregate reads an ordered subquery in its order.
 */
const readers = (row: "new" | "old") =>
  "update files set readers = (select json_group_array(o.reader) from (select p.type || ':' || p.value\n" +
  `    as reader from file_permissions p where p.file_id = ${row}.file_id order by p.type, p.value) o)\n` +
  `    where id = ${row}.file_id`;

const enterTotal = "insert into file_totals (company_id, user_id, readers, n)\n" +
  "    values (new.company_id, new.user_id, new.readers, 1)\n" +
  "    on conflict (company_id, user_id, readers) do update set n = n + 1";
const ofOld = "where company_id = old.company_id and user_id = old.user_id and readers = old.readers";
const leaveTotal = [
  `update file_totals set n = n - 1\n    ${ofOld}`,
  `delete from file_totals ${ofOld} and n = 0`,
];

/**
 * SQL: positive when `readers` has the permission. Writers of many permissions set `readers` first, so that
 * the triggers have nothing to do. Otherwise the trigger of each permission would read all of them.
 */
const isKnown = (row: "new" | "old") =>
  `(select instr(readers, '"' || ${row}.type || ':' || ${row}.value || '"') from files where id = ${row}.file_id)`;

/** The key of a row's place in `folder_contents`; null for a file without a place. */
const makePlaceKey = (row: "new" | "old") =>
  `ifnull(${row}.folder_id, ${row}.belongs_to || ':' || ${row}.belongs_to_id)`;

export const libraryTriggers: readonly SchemaObject[] = [
  trigger("file_usage_insert", "after insert on files", use),
  trigger("file_usage_delete", "after delete on files", release),
  trigger(
    "file_usage_update",
    "after update of size on files when old.size <> new.size",
    "update file_usage set bytes = bytes + new.size - old.size where company_id = new.company_id",
  ),
  trigger(
    "file_usage_pictures",
    "after update of picture_key on files when old.picture_key is not new.picture_key",
    `update file_usage set bytes = bytes + ${picture("new")} - ${picture("old")}\n` +
      "    where company_id = new.company_id",
  ),
  ...["insert", "delete"].map((verb) =>
    trigger(
      `file_readers_${verb}`,
      `after ${verb} on file_permissions when ` +
        (verb === "insert" ? `${isKnown("new")} = 0` : `${isKnown("old")} > 0`),
      readers(verb === "insert" ? "new" : "old"),
    )
  ),
  trigger("file_totals_insert", "after insert on files", enterTotal),
  trigger("file_totals_delete", "after delete on files", ...leaveTotal),
  trigger(
    "file_totals_update",
    "after update of user_id, readers on files when old.user_id <> new.user_id or old.readers <> new.readers",
    ...leaveTotal,
    enterTotal,
  ),
  ...contents("files", null),
  ...contents("folders", "deleted_at"),
  trigger(
    "folders_contents_end",
    "after delete on folders",
    "delete from folder_contents where company_id = old.company_id and place = old.id",
  ),
  ...makeWordIndex("files", "seq"),
];

/** Returns triggers that count the rows of a table by place, except rows being deleted. */
function contents(table: "files" | "folders", deletion: "deleted_at" | null): SchemaObject[] {
  const counts = (row: "new" | "old") =>
    `${makePlaceKey(row)} is not null` + (deletion ? ` and ${row}.${deletion} is null` : "");
  const columns = ["folder_id", "belongs_to", "belongs_to_id", ...(deletion ? [deletion] : [])];
  const changed = columns.map((column) => `old.${column} is not new.${column}`).join(" or ");
  const numbers = table === "files" ? "0, 1" : "1, 0";
  const enter = "insert into folder_contents (company_id, place, folders, files)\n" +
    `    values (new.company_id, ${makePlaceKey("new")}, ${numbers})\n` +
    `    on conflict (company_id, place) do update set ${table} = ${table} + 1`;
  const leave = `update folder_contents set ${table} = ${table} - 1\n` +
    `    where company_id = old.company_id and place = ${makePlaceKey("old")}`;
  const updated = `after update of ${columns.join(", ")} on ${table}`;
  return [
    trigger(`${table}_contents_insert`, `after insert on ${table} when ${counts("new")}`, enter),
    trigger(`${table}_contents_delete`, `after delete on ${table} when ${counts("old")}`, leave),
    trigger(`${table}_contents_leave`, `${updated} when (${changed}) and ${counts("old")}`, leave),
    trigger(`${table}_contents_enter`, `${updated} when (${changed}) and ${counts("new")}`, enter),
  ];
}
