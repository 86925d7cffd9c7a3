/** Gathers rows by table and writes them in bounded batches. */
import { accounts } from "../../customers/accounts/table.ts";
import { contacts } from "../../customers/contacts/table.ts";
import { customValues } from "../../customers/fields/table.ts";
import { identifier, insertAll, sql } from "../../db/statements.ts";
import type { Database, Statement } from "../../platform/database/database.ts";
import { activities } from "../../sales/activities/table.ts";
import { caseMilestones, cases } from "../../sales/cases/table.ts";
import { leads, leadTransitions } from "../../sales/leads/table.ts";
import { tasks } from "../../sales/tasks/table.ts";

/** Tables in the order of their references. */
const tables = {
  accounts,
  contacts,
  customValues,
  cases,
  activities,
  caseMilestones,
  tasks,
  leads,
  leadTransitions,
};
type Tables = typeof tables;

/** The words that the full-text index keeps for the row with this id. */
export type SearchWords = readonly [id: number, words: string];

export type Rows = { [K in keyof Tables]: Tables[K]["$inferInsert"][] } & {
  accountWords: SearchWords[];
  contactWords: SearchWords[];
};

export function noRows(): Rows {
  return {
    accounts: [],
    contacts: [],
    customValues: [],
    cases: [],
    activities: [],
    caseMilestones: [],
    tasks: [],
    leads: [],
    leadTransitions: [],
    accountWords: [],
    contactWords: [],
  };
}

export function countRows(rows: Rows): number {
  return Object.values(rows).reduce((sum, list) => sum + list.length, 0);
}

/** Writes the rows in one transaction. Triggers update totals and the search words of cases. */
export async function writeRows(db: Database, rows: Rows): Promise<void> {
  const statements: Statement[] = [
    insertAll(accounts, rows.accounts),
    insertWords("accounts_search", rows.accountWords),
    insertAll(contacts, rows.contacts),
    insertWords("contacts_search", rows.contactWords),
    insertAll(customValues, rows.customValues),
    insertAll(cases, rows.cases),
    insertAll(activities, rows.activities),
    insertAll(caseMilestones, rows.caseMilestones),
    insertAll(tasks, rows.tasks),
    insertAll(leads, rows.leads),
    insertAll(leadTransitions, rows.leadTransitions),
  ];
  await db.write(statements.filter(({ args }) => args[0] !== "[]"));
}

export function insertWords(table: string, words: readonly SearchWords[]): Statement {
  return sql`insert into ${identifier(table)} (rowid, words) select value ->> 0, value ->> 1 from json_each(${
    JSON.stringify(words)
  })`;
}
