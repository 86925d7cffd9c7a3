/** The trigram indexes of the texts of accounts and contacts, and the triggers that mark rows to index. */
import { composeKey, type TextIndex } from "../../filters/text_index.ts";
import { type SchemaObject, trigger } from "../../db/triggers.ts";
import { textIndexes } from "./texts.ts";

export const textTriggers: readonly SchemaObject[] = Object.values(textIndexes).flatMap(makeIndexObjects);

function makeIndexObjects({ table, texts, stale, columns }: TextIndex): SchemaObject[] {
  const read = [...columns, "folded", "b2c", "team_id"];
  const key = (row: string) => composeKey(`${row}.company_id`, `${row}.seq`);
  const mark = `insert or ignore into ${stale} (key) values (${key("new")})`;
  const moved = read.map((column) => `old.${column} is not new.${column}`).join("\n    or ");
  return [
    {
      type: "table",
      name: texts,
      sql: `create virtual table ${texts} using fts5(${columns.join(", ")}, team, content='', ` +
        "contentless_delete=1, tokenize='trigram case_sensitive 1')",
    },
    trigger(`${texts}_insert`, `after insert on ${table}`, mark),
    trigger(`${texts}_update`, `after update of ${read.join(", ")} on ${table}\n  when ${moved}`, mark),
    trigger(
      `${texts}_delete`,
      `after delete on ${table}`,
      `delete from ${texts} where rowid = ${key("old")} * 2`,
      `delete from ${texts} where rowid = ${key("old")} * 2 + 1`,
      `delete from ${stale} where key = ${key("old")}`,
    ),
  ];
}
