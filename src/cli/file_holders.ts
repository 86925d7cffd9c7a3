/**
 * The records that have objects in the storage: files, published pictures, pictures of users, logos, and
 * letters of campaigns.
 */
import { deleteNaming } from "../contributions.ts";
import { identifier, type Sql, sql } from "../db/statements.ts";
import type { Deps } from "../deps.ts";
import type { Statement } from "../platform/database/database.ts";

type Read = Pick<Deps, "db">;

/** A column with keys of objects. `name`: SQL for the text that names its record `r` in a line. */
interface Holder {
  readonly table: "files" | "users" | "companies" | "campaign_messages";
  readonly column: string;
  readonly name: Sql;
}

const holders: readonly Holder[] = [
  {
    table: "files",
    column: "object_key",
    name: sql`'file ' || r.id || ' of company ' || r.company_id || ' (' || r.name || ')'`,
  },
  {
    table: "files",
    column: "picture_key",
    name:
      sql`'published picture of file ' || r.id || ' of company ' || r.company_id || ' (' || r.name || ')'`,
  },
  {
    table: "users",
    column: "profile_picture",
    name: sql`'picture of user ' || r.id || ' of company ' || r.company_id`,
  },
  {
    table: "campaign_messages",
    column: "object",
    name: sql`'letter ' || r.id || ' of campaign ' || r.campaign_id`,
  },
  { table: "companies", column: "logo_1", name: sql`'logo 1 of company ' || r.id` },
  { table: "companies", column: "logo_2", name: sql`'logo 2 of company ' || r.id` },
];

/** Returns the names of the records that have an object, by the key of the object. */
export async function readHolders({ db }: Read, keys: readonly string[]): Promise<Map<string, string[]>> {
  const named = new Map<string, string[]>();
  if (keys.length === 0) return named;
  const results = await db.read(
    holders.map(({ table, column, name }) =>
      sql`select r.${identifier(column)} as key, ${name} as name from ${identifier(table)} r
      where r.${identifier(column)} in (select value from json_each(${JSON.stringify(keys)}))`
    ),
  );
  for (const { key, name } of results.flatMap(({ rows }) => rows)) {
    // Names of files are user input. Control characters in them must not reach the terminal.
    const text = String(name).replaceAll(/\p{C}+/gu, " ");
    named.set(key as string, [...named.get(key as string) ?? [], text]);
  }
  return named;
}

/** Yields the keys in records whose objects have no row. */
export async function* findKeysWithoutRow({ db }: Read): AsyncGenerator<string[]> {
  for (const { table, column } of holders) {
    const key = sql`r.${identifier(column)}`;
    for (let after = 0;;) {
      const [found] = await db.read([
        sql`select r.rowid as place, ${key} as key from ${identifier(table)} r
          where r.rowid > ${after} and ${key} is not null and not exists (select 1 from objects o
          where o.key = ${key} and o.removed_from is null) order by r.rowid limit 1000`,
      ]);
      if (found!.rows.length === 0) break;
      after = Number(found!.rows.at(-1)!.place);
      yield found!.rows.map((row) => row.key as string);
    }
  }
}

/**
 * Writes the row of a file's object, with the type and size that the file stores. Records of pictures do not
 * store them, so a picture gets no row.
 */
export function restoreRow(key: string, at: string): Statement {
  return sql`insert into objects (key, company_id, type, bytes, removed_from, created_at)
    select f.object_key, f.company_id, f.media, f.size, null, ${at} from files f where f.object_key = ${key}
    returning key`;
}

/** Removes the references to a missing object: deletes files, and clears the columns of other records. */
export function mend(key: string, at: string): Statement[] {
  const ids = sql`select id from files where object_key = ${key}`;
  return [
    sql`update objects set removed_from = 0 where removed_from is null and key in (
      select picture_key from files where object_key = ${key})`,
    ...deleteNaming("file", ids),
    sql`delete from files where object_key = ${key}`,
    ...holders.filter(({ column }) => column !== "object_key").map(({ table, column }) =>
      sql`update ${identifier(table)} set ${identifier(column)} = null,
        updated_at = ${at}${table === "campaign_messages" ? sql`` : sql`, version = version + 1`}
        where ${identifier(column)} = ${key}`
    ),
    sql`delete from objects where key = ${key} and removed_from is null`,
  ];
}
