/**
 * What a deleted team has of customers and sales. Another team takes its place in all of it, in steps: in
 * accounts first, then in leads, then in cases, as each shows what stands before it.
 */
import type { FieldAuthor } from "../../db/commit.ts";
import { raw, rawSql, type Sql, sql, statement } from "../../db/statements.ts";
import {
  accountColumns,
  type AccountFacts,
  accountJoins,
  asAccount,
} from "../../customers/accounts/present.ts";
import { changedAccount } from "../../customers/accounts/write.ts";
import { reassignFields } from "../../customers/fields/reassignment.ts";
import { reassignFilters } from "../../customers/saved_filters/deletion.ts";
import type { ReassignmentStep, TeamDeletion, TeamReassignment } from "../../identity/teams/deletion.ts";
import type { TeamFacts } from "../../identity/teams/queries.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { casesAmong, fullCases } from "../cases/queries.ts";
import { leadSource } from "../leads/record.ts";
import { casesAfter, casesOfLeads, casesOfLeadsCount } from "../leads/shown_in_cases.ts";
import { handedBeside, reassignCase } from "./cases.ts";
import { reassignLead } from "./leads.ts";
import { reassignPaths, reassignTypes } from "./types.ts";

/** How many a step takes: few enough that it holds the write lock for well under 100 ms. */
const most = { contacts: 200, accounts: 30, leads: 20, cases: 20 };

export const teamReassignment: TeamReassignment = {
  open: (companyId, teams, at) => [
    {
      type: "cases",
      number: total(companyId, "cases", `team_id in (${teams.sql}) and status = 'open'`, teams),
    },
    { type: "leads", number: openLeads(companyId, teams, at) },
  ],
  owned: (companyId, teamId) => {
    const id = sql`${teamId}`;
    return [
      ...["accounts", "contacts", "lead_types"].map((type) => ({
        type,
        number: total(companyId, type, "team_id = ?", id),
      })),
      {
        type: "relations_paths",
        number: total(companyId, "relations_paths", "team_id = 0 and status = 't' || ?", id),
      },
    ];
  },
  reads: (parting) => parting.heir_id === null ? [] : readsOf(parting),
  apply: (author, parting, heir, results) =>
    heir ? step(author, parting, heir, results) : {
      statements: [
        ...reassignFields(author, parting),
        reassignFilters(parting),
        reassignTypes(author, parting),
        ...reassignPaths(author, parting),
      ],
      events: [],
      more: false,
    },
};

function readsOf({ company_id, team_id, heir_id }: TeamDeletion): Statement[] {
  const of = (table: string, column: string, limit: number) =>
    `select ${table}.seq from ${table} where ${table}.company_id = ? and ${table}.${column} = ? limit ${limit}`;
  const own = [company_id, team_id];
  const leads = `select seq from (${of("leads", "team_id", most.leads)}) union ` +
    `select seq from (${of("leads", "agency_team_id", most.leads)}) limit ${most.leads}`;
  return [
    statement("select id from relations_paths where company_id = ? and owner = 't' || ?", ...own),
    statement(of("contacts", "team_id", most.contacts + 1), ...own),
    statement(
      `select ${accountColumns} from accounts account ${accountJoins} ` +
        `where account.seq in (${of("accounts", "team_id", most.accounts)})`,
      ...own,
    ),
    statement(
      `select ${leadSource.columns}, exists (select 1 from team_members m where m.team_id = ? ` +
        `and m.user_id = leads.user_id) as stays from leads where leads.seq in (${leads})`,
      heir_id,
      ...own,
      ...own,
    ),
    // The team's own cases change with it.
    ...casesOfLeads({
      leads: raw(`select leads.id from leads where leads.seq in (${leads})`, ...own, ...own),
      which: sql`cs.team_id is not ${team_id}`,
    }),
    ...casesAmong(raw(
      `select cases.id from cases where cases.company_id = ? and cases.team_id = ? limit ${most.cases}`,
      ...own,
    )),
  ];
}

/** What is read in full is taken; where there may be more of one kind, the next kind waits for it. */
function step(
  author: FieldAuthor,
  parting: TeamDeletion,
  heir: TeamFacts,
  results: readonly Result[],
): ReassignmentStep {
  const [paths, contacts, accountsFound, leadsFound, ...found] = results;
  const [shownFound, casesFound] = [found.slice(0, casesOfLeadsCount), found.slice(casesOfLeadsCount)];
  const statements: Statement[] = [
    ...reassignFields(author, parting),
    reassignFilters(parting),
    reassignTypes(author, parting),
    ...reassignPaths(author, parting),
    handContacts(parting),
  ];
  if (contacts!.rows.length > most.contacts) return { statements, events: [], more: true };

  const accounts = accountsFound!.rows.map((row) => handAccount(author, row, heir));
  statements.push(...accounts.flatMap((write) => write.statements));
  const events = accounts.map(({ event }) => event);
  if (accounts.length === most.accounts) return { statements, events, more: true };
  const accountsAfter = new Map(accounts.map(({ account }) => [account.id, account]));

  const leads = leadsFound!.rows.map((row) => reassignLead(author, row, parting, heir, accountsAfter));
  statements.push(...leads.flatMap((write) => write.statements));
  events.push(...leads.flatMap((write) => write.events));
  const before = {
    accounts: accountsAfter,
    leads: new Set(leads.map(({ lead }) => lead.row.id)),
    paths: new Set(paths!.rows.map(({ id }) => String(id))),
  };
  const shown = casesAfter(
    author,
    leads.map(({ lead }) => lead),
    shownFound,
    (of) => handedBeside(of, parting, heir, before),
  );
  statements.push(...shown.flatMap((write) => write.statements));
  events.push(...shown.map(({ event }) => event));
  if (leads.length === most.leads) return { statements, events, more: true };

  const cases = fullCases(casesFound).map((of) => reassignCase(author, of, parting, heir, before));
  statements.push(...cases.flatMap((write) => write.statements));
  events.push(...cases.map(({ event }) => event));
  return { statements, events, more: cases.length === most.cases };
}

function handAccount(author: FieldAuthor, row: Row, heir: TeamFacts) {
  const before: AccountFacts = asAccount(row);
  return changedAccount(author, before, {}, { team_id: heir.id });
}

/** A contact does not show its team, which is its account's, so it needs no event. */
function handContacts({ company_id, team_id, heir_id }: TeamDeletion): Statement {
  return sql`update contacts set team_id = ${heir_id} where seq in
    (select seq from contacts where company_id = ${company_id} and team_id = ${team_id} limit ${
    rawSql(String(most.contacts))
  })`;
}

/** From the counters: records of the company of a kind that the condition chooses. */
function total(companyId: number, kind: string, which: string, { args }: Sql): Sql {
  return raw(
    `(select coalesce(sum(n), 0) from totals where company_id = ? and kind = '${kind}' and ${which})`,
    companyId,
    ...args,
  );
}

/**
 * Leads that wait for the team to accept them, that it let escalate, or that it looks after as an agency; an
 * accepted one counts by its case. The counters know that a lead has expired once the job has marked it.
 */
function openLeads(companyId: number, teams: Sql, at: string): Sql {
  const which = `(team_id in (${teams.sql}) and status in ('assigned', 'escalated', 'called') ` +
    `or agency_team_id in (${teams.sql}) and status <> 'accepted')`;
  const counted = total(companyId, "leads", which, raw("", ...teams.args, ...teams.args));
  return raw(
    `(${counted.sql} - (select count(*) from leads where hidden = 0 and expires_at <= ? ` +
      `and +company_id = ? and ${which}))`,
    ...counted.args,
    at,
    companyId,
    ...teams.args,
    ...teams.args,
  );
}
