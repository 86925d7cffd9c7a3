/** Gathers rows by table and writes them in bounded batches. */
import { accounts } from "../../customers/accounts/record.ts";
import { contacts } from "../../customers/contacts/record.ts";
import { customValues } from "../../customers/fields/table.ts";
import { identifier, insertAll, sql } from "../../db/statements.ts";
import type { Database, Statement } from "../../platform/database/database.ts";
import { activities } from "../../sales/activities/table.ts";
import { caseMilestones, cases, caseStatusChanges } from "../../sales/cases/record.ts";
import { leads, leadTransitions } from "../../sales/leads/record.ts";
import { tasks } from "../../sales/tasks/record.ts";

/** Tables in the order of their references. */
const tables = {
  accounts,
  contacts,
  customValues,
  cases,
  activities,
  caseMilestones,
  caseStatusChanges,
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

export function makeRows(): Rows {
  return {
    accounts: [],
    contacts: [],
    customValues: [],
    cases: [],
    activities: [],
    caseMilestones: [],
    caseStatusChanges: [],
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

/**
 * Writes the rows in one transaction. Triggers update totals, the search words of cases, and the facts of
 * reports. Cases are inserted as open and tasks as not completed, and then updated, so that their facts match
 * their history.
 */
export async function writeRows(db: Database, rows: Rows): Promise<void> {
  const stages = JSON.stringify(rows.tasks.map(({ id, completed_at, stage }) => [id, completed_at, stage]));
  const statements: Statement[] = [
    insertAll(accounts, rows.accounts),
    insertWords("accounts_search", rows.accountWords),
    insertAll(contacts, rows.contacts),
    insertWords("contacts_search", rows.contactWords),
    insertAll(customValues, rows.customValues),
    insertAll(cases, rows.cases.map(makeBegunCase)),
    insertAll(activities, rows.activities),
    insertAll(caseMilestones, rows.caseMilestones),
    ...changeCaseProgress(rows),
    insertAll(caseStatusChanges, rows.caseStatusChanges),
    insertAll(tasks, rows.tasks.map((row) => ({ ...row, completed_at: null, stage: "pending" as const }))),
    sql`update tasks set completed_at = value ->> 1, stage = value ->> 2
      from json_each(${stages})
      where tasks.id = value ->> 0`,
    insertAll(leads, rows.leads),
    insertAll(leadTransitions, rows.leadTransitions),
  ];
  await db.write(statements.filter(({ args }) => args[0] !== "[]"));
}

type CaseRow = Rows["cases"][number];

function makeBegunCase(row: CaseRow): CaseRow {
  const state = { status: "open" as const, chance_of_success: 0, offer_value: 0, product_ids: "[]" };
  return { ...row, ...state, effective_at: row.created_at };
}

/**
 * Updates the inserted cases: first their chances and offers, whose facts have moments of their own, then the
 * status of ended cases.
 */
function changeCaseProgress({ cases: all }: Rows): Statement[] {
  const rows = JSON.stringify(all.map((row) => [
    row.id,
    row.status,
    row.chance_of_success,
    row.offer_value,
    row.product_ids,
    row.effective_at,
  ]));
  return [
    sql`update cases set chance_of_success = value ->> 2, offer_value = value ->> 3, product_ids = value ->> 4
      from json_each(${rows}) where cases.id = value ->> 0`,
    sql`update cases set status = value ->> 1, effective_at = value ->> 5
      from json_each(${rows}) where cases.id = value ->> 0 and value ->> 1 <> 'open'`,
  ];
}

export function insertWords(table: string, words: readonly SearchWords[]): Statement {
  return sql`insert into ${identifier(table)} (rowid, words) select value ->> 0, value ->> 1
    from json_each(${JSON.stringify(words)})`;
}
