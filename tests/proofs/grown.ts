/**
 * A database of a chosen size, filled by SQL in one transaction: a company that sells (50 teams, and `rows`
 * each of accounts, contacts, cases, tasks, activities, events of timelines, notes, leads, products and
 * categories), and a company with many people (`rows` users, teams, groups, relations paths and lead types).
 * A filter selects 20 rows at every size.
 */
import { DatabaseSync } from "node:sqlite";
import { indexTexts } from "../../src/customers/texts/index_texts.ts";
import { insert, insertAll } from "../../src/db/statements.ts";
import { applications } from "../../src/identity/applications/table.ts";
import { accessTokens } from "../../src/identity/auth/table.ts";
import { companies } from "../../src/identity/companies/table.ts";
import { roleRights, roles, userRoles } from "../../src/identity/roles/record.ts";
import { teams } from "../../src/identity/teams/record.ts";
import { teamMembers } from "../../src/identity/teams/table.ts";
import { users } from "../../src/identity/users/record.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { copyTemplate } from "../support/template.ts";
import { manyPeople, manySales } from "./grown_rows.ts";

/** The callers: an admin, and a member of one team, in each of the two companies. */
export const callers = {
  seller: { company: 1, user: 1, type: 1 },
  member: { company: 1, user: 2, type: 3 },
  chief: { company: 2, user: 1_000_000_001, type: 1 },
  person: { company: 2, user: 1_000_000_002, type: 3 },
} as const;
export type CallerName = keyof typeof callers;

/** Creates the database. The bearer token of each caller is its name. */
export async function grow(path: string, rows: number): Promise<void> {
  await copyTemplate(path);
  const db = openFile(path);
  await db.write(people());
  await db.close();
  const connection = new DatabaseSync(path);
  // The file needs no protection: it is made in seconds and deleted afterwards. The driver ignores
  // `journal_mode = off`, and a write-ahead log writes each page several times. A sort of an index that could
  // use a file, but fits into the cache, takes a third less than one in memory, which allocates each entry.
  connection.exec("pragma journal_mode = memory; pragma temp_store = file; pragma synchronous = off");
  connection.exec("pragma foreign_keys = off; pragma cache_size = -262144");
  connection.exec("begin");
  const selectObjects = (type: string, term: string) =>
    connection.prepare(`select name, sql from sqlite_master where type = '${type}' and ${term}`)
      .all().map(({ name, sql }) => ({ name: String(name), sql: String(sql) }));
  // An index that is built over all rows at once takes a third of the time.
  const indexes = selectObjects("index", "sql like 'create index%'");
  // No list reads facts or the number of changes of callers. Recording both takes half of the time.
  const recorders = selectObjects(
    "trigger",
    "(name like 'facts\\_%' escape '\\' or name like '%\\_caller\\_changes\\_%' escape '\\')",
  );
  // One select counts the rows of a table in a tenth of the time that its triggers take.
  const counters = selectObjects("trigger", "sql like '%into totals %'");
  for (const { name } of indexes) connection.exec(`drop index "${name}"`);
  for (const { name } of [...recorders, ...counters]) connection.exec(`drop trigger "${name}"`);
  for (const sql of [...manySales(rows), ...manyPeople(rows)]) connection.exec(sql);
  connection.exec("delete from totals");
  for (const { name, sql } of counters) if (name.endsWith("_insert")) connection.exec(countedAtOnce(sql));
  for (const { sql } of [...indexes, ...recorders, ...counters]) connection.exec(sql);
  connection.exec("commit");
  connection.close();
  const grown = openFile(path);
  await indexTexts({ db: grown }, { rows: 5_000, until: Infinity });
  await grown.close();
}

/** Returns SQL that counts the rows of a table as its trigger of insertions does, but all at once. */
function countedAtOnce(trigger: string): string {
  const found =
    /after insert on (\w+)(?: when (.+?))? begin\s+(insert into totals \(.+?\))\s+values \((.+), 1\)\s+on conflict/s
      .exec(trigger);
  if (!found) throw new Error(`a trigger of a total has an unknown form: ${trigger}`);
  const [, table, when = "1", insertion, values] = found;
  return `${insertion} select ${values}, count(*) from ${table} where ${when} group by 1, 2, 3, 4, 5`
    .replaceAll("new.", "");
}

const stamps = { created_at: "2023-01-01 00:00:00", updated_at: "2023-01-01 00:00:00" };
const place = { timezone: "UTC", locale: "en-GB" };

function people() {
  const names = Object.keys(callers) as CallerName[];
  const fifty = Array.from({ length: 50 }, (_, i) => i + 1);
  const found = insert(teams, { id: 1_000_000_001, company_id: 2, name: "Own", ...place, ...stamps });
  return [
    insertAll(
      companies,
      [1, 2].map((id) => ({ id, name: "Grown", ...place, language: "en", currency: "EUR", ...stamps })),
    ),
    insertAll(
      teams,
      fifty.map((id) => ({
        id,
        company_id: 1,
        name: `Team ${id}`,
        team_type: "dealer",
        ...place,
        ...stamps,
      })),
    ),
    found,
    ...names.flatMap((name) => caller(name)),
    insertAll(teamMembers, [
      { user_id: callers.member.user, team_id: 7 },
      { user_id: callers.person.user, team_id: 1_000_000_001 },
    ]),
    // The member also handles leads of an agency team.
    insert(roles, { id: 1, company_id: 1, name: "Agency", ...stamps }),
    insert(roleRights, { role_id: 1, right_name: "agency" }),
    insert(userRoles, { user_id: callers.member.user, role_id: 1 }),
  ];
}

function caller(name: CallerName) {
  const { company, user, type } = callers[name];
  const email = `${name}@example.org`;
  return [
    insert(users, {
      id: user,
      company_id: company,
      first_name: "Ada",
      last_name: name,
      email,
      email_key: email,
      user_type: type,
      ...place,
      ...stamps,
    }),
    insert(applications, {
      client_id: name,
      company_id: company,
      user_id: user,
      name,
      secret_hash: sha256(name),
      secret_hint: name,
      ...stamps,
    }),
    insert(accessTokens, {
      hash: sha256(name),
      id: name,
      client_id: name,
      user_id: user,
      expires_at: Date.UTC(2100, 0),
      created_at: stamps.created_at,
    }),
  ];
}
