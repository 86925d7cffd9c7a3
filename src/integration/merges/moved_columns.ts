/** What names accounts and contacts, and so names the other record after a merge. */
import { identifier, joinSql, literal, type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { Followers, NewIds } from "./follow.ts";
import type { MergedType } from "./table.ts";

/** Columns by table. Tests compare them with the declared references. */
export const movedColumns: Readonly<Record<string, readonly string[]>> = {
  contacts: ["account_id"],
  cases: ["account_id", "contact_id"],
  leads: ["account_id", "contact_id", "original_account_id", "original_contact_id"],
  lead_transitions: ["account_id", "contact_id"],
  notes: ["contact_id"],
  attachments: ["entity_id"],
  campaign_messages: ["contact_id"],
  companies: ["default_account_id"],
};

/** SQL: the ids of a record that stays and of one that goes. Null: there is none. */
interface Ids {
  readonly into: Sql;
  readonly from: Sql;
}

/** The accounts and contacts of a merge, before anybody has read them. */
export interface PairIds {
  readonly account: Ids;
  readonly contact: Ids;
}

/** Returns the ids of both records in the company and, of consumers, of the other two that merge along. */
export function pairIds(type: MergedType, companyId: number, id: string, from_id: string): PairIds {
  const own = (table: string, of: string) =>
    sql`(select t.id from ${identifier(table)} t where t.id = ${of} and t.company_id = ${companyId})`;
  const other = from_id === id ? "" : from_id;
  if (type === "contact") {
    const home = (of: string) =>
      sql`(select t.account_id from contacts t where t.id = ${of} and t.company_id = ${companyId})`;
    const isConsumer = sql`exists (select 1 from contacts t where t.id = ${id} and t.b2c = 1)`;
    return {
      account: { into: home(id), from: sql`iif(${isConsumer}, ${home(other)}, null)` },
      contact: { into: own("contacts", id), from: own("contacts", other) },
    };
  }
  const person = (of: string) =>
    sql`(select t.id from contacts t where t.account_id = ${of} and t.b2c = 1 and t.company_id = ${companyId} limit 1)`;
  return {
    account: { into: own("accounts", id), from: own("accounts", other) },
    contact: { into: person(id), from: sql`iif(${person(id)} is null, null, ${person(other)})` },
  };
}

/** The records that go. */
export interface Going {
  readonly account_id: Sql;
  readonly contact_id: Sql;
}

/** Selects all that names the records that go. */
export function selectFollowers({ account_id, contact_id }: Going): Followers {
  const cases = sql`select id from cases where account_id = ${account_id}
    union select id from cases where contact_id = ${contact_id}`;
  const leads = [
    sql`account_id = ${account_id}`,
    sql`original_account_id = ${account_id}`,
    sql`contact_id = ${contact_id}`,
    sql`original_contact_id = ${contact_id}`,
  ].map((condition) => sql`select id from leads where ${condition}`);
  return {
    contacts: sql`select id from contacts where account_id = ${account_id} and id is not ${contact_id}`,
    notes: sql`select id from notes where contact_id = ${contact_id}`,
    leads: sql`${joinSql(leads, " union ")} union select m.lead_id from lead_transitions m
      where m.case_id in (${cases}) and (m.account_id = ${account_id} or m.contact_id = ${contact_id})`,
    cases,
  };
}

/** Records of each kind in a commit, so that it holds the write lock for well under 100 ms. */
export const mostMoved: Readonly<Record<keyof Followers, number>> = {
  contacts: 100,
  notes: 100,
  leads: 30,
  cases: 20,
};

/** Notes of a commit in all: those that get another contact, and those of the contacts that move. */
const mostNotes = 400;

/**
 * SQL: of these contacts, those that one commit moves. Their notes move with them, so the last one is that with which
 * the notes are more than a commit moves.
 */
export function limitByNotes(contacts: Sql): Sql {
  const notes = sql`(select count(*) from (select 1 from notes n where n.contact_id = c.id
    limit ${literal(mostNotes + 1)}))`;
  return sql`select id from (select id, sum(notes) over (order by id) - notes as before
    from (select c.id, ${notes} as notes from (${contacts}) c)) where before <= ${literal(mostNotes)}`;
}

/** Selects the first of the followers: at most as many of each kind as a commit moves, and one more. */
export function limitFollowers(followers: Followers): Followers {
  const some = (kind: keyof Followers) =>
    sql`select id from (${followers[kind]}) order by id limit ${literal(mostMoved[kind] + 1)}`;
  return {
    contacts: limitByNotes(some("contacts")),
    notes: some("notes"),
    leads: some("leads"),
    cases: some("cases"),
  };
}

/** Counts the followers, with what belongs to them. */
export function countFollowers({ contacts, cases, leads, notes }: Followers): Statement {
  const number = (ids: Sql) => sql`(select count(*) from (${ids}))`;
  return sql`select ${number(contacts)} as contacts, ${number(cases)} as cases, ${number(leads)} as leads,
    (select count(*) from notes n where n.id in (${notes}) or n.contact_id in (${contacts})) as notes,
    (select count(*) from tasks where case_id in (${cases})) as tasks,
    (select count(*) from correspondences where case_id in (${cases})) as correspondences`;
}

/** Whether the reads of `limitFollowers` found more than a commit moves. */
export function isLarge([contacts, notes, leads, _transitions, cases]: readonly Result[]): boolean {
  const moving = new Set(contacts!.rows.map(({ id }) => id));
  const own = notes!.rows.filter(({ contact_id }) => !moving.has(contact_id));
  return contacts!.rows.length > mostMoved.contacts || own.length > mostMoved.notes ||
    notes!.rows.length > mostNotes || leads!.rows.length > mostMoved.leads ||
    cases!.rows.length > mostMoved.cases;
}

/** SQL: whether no lead names the records that go. Leads have no foreign keys. */
export function isNamedByNoLead(going: Going): Sql {
  return sql`not exists (${selectFollowers(going).leads})`;
}

/** Renames ids in the columns. */
export function renaming(ids: ReadonlyMap<string, string>): NewIds {
  return (table, _id, row) =>
    Object.fromEntries(
      movedColumns[table]!.flatMap((column) => {
        const now = (row as Readonly<Record<string, string | null>>)[column];
        const after = now == null ? undefined : ids.get(now);
        return after === undefined ? [] : [[column, after]];
      }),
    );
}
