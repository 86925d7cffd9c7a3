/**
 * Moves the customers and sales records of a deleted team to its successor, in steps: contacts, accounts,
 * leads, then cases, because records show those before them.
 */
import { identifier, sql } from "../../db/statements.ts";
import { accountColumns, accountJoins, readAccountRow } from "../../customers/accounts/present.ts";
import { changeAccount } from "../../customers/accounts/write.ts";
import type { TeamDeletion, TeamPart, TeamStep } from "../../identity/teams/deletion.ts";
import { noChange, type Take } from "../../staged/kind.ts";
import { readFullCases, selectCasesAmong } from "../cases/queries.ts";
import { leadColumns } from "../leads/parts.ts";
import { casesOfLeadsCount, changeCasesOfLeads, selectCasesOfLeads } from "../leads/shown_in_cases.ts";
import { listOwnedAmounts, openAmounts } from "./team_amounts.ts";
import { reassignCase, reassignShownRecords } from "./cases_of_teams.ts";
import { reassignLead } from "./leads_of_teams.ts";
import { reassignTypes, touchTypesOfPaths } from "./types_of_teams.ts";

/** Records in a step, so that it holds the write lock for well under 100 ms. */
const most = { contacts: 200, accounts: 30, leads: 20, cases: 20 };

export const salesTeamDeletion: TeamPart = {
  open: openAmounts,
  countOwned: listOwnedAmounts,
  atOnce: (author, deletion) => [reassignTypes(author, deletion), ...touchTypesOfPaths(deletion)],
  step: (deletion, take) =>
    deletion.successor_id === null ? { reads: [], apply: () => noChange } : toSuccessor(deletion, take),
};

/**
 * Plans a step, which moves one kind of records after the other. If more records of a kind may be left, the
 * next kind waits.
 */
function toSuccessor(deletion: TeamDeletion, take: Take): TeamStep {
  const { company_id, team_id, successor_id } = deletion;
  const of = (table: string, column = "team_id") =>
    sql`select id from ${identifier(table)} where company_id = ${company_id}
      and ${identifier(column)} = ${team_id}`;
  const contacts = take(of("contacts"), most.contacts);
  const accounts = take(of("accounts"), most.accounts);
  const leads = take([of("leads"), of("leads", "agency_team_id")], most.leads);
  const cases = take(of("cases"), most.cases);
  return {
    reads: [
      sql`select id from relations_paths where company_id = ${company_id} and owner = 't' || ${team_id}`,
      sql`select count(*) as n from (${contacts.ids})`,
      sql`select ${accountColumns} from accounts account ${accountJoins}
        where account.id in (${accounts.ids})`,
      sql`select ${leadColumns}, exists (select 1 from team_members m
        where m.team_id = ${successor_id} and m.user_id = leads.user_id) as stays
        from leads where leads.id in (${leads.ids})`,
      // Leaves out the cases of the team, which change when they move.
      ...selectCasesOfLeads({ leads: leads.ids, which: sql`cs.team_id is not ${team_id}` }),
      ...selectCasesAmong(cases.ids),
    ],
    apply(author, successor, [paths, contactCount, accountsFound, leadsFound, ...found]) {
      const to = successor!;
      const statements = [
        // A contact does not show its team, which is its account's, so it needs no event.
        sql`update contacts set team_id = ${successor_id} where id in (${contacts.ids})`,
      ];
      if (Number(contactCount!.rows[0]!.n) >= contacts.most) return { statements, events: [], more: true };

      const accountWrites = accountsFound!.rows.map((row) =>
        changeAccount(author, readAccountRow(row), {}, { team_id: to.id })
      );
      statements.push(...accountWrites.flatMap((write) => write.statements));
      const events = accountWrites.map(({ event }) => event);
      if (accountWrites.length >= accounts.most) return { statements, events, more: true };
      const accountsAfter = new Map(accountWrites.map(({ account }) => [account.id, account]));

      const leadWrites = leadsFound!.rows.map((row) =>
        reassignLead(author, row, deletion, to, accountsAfter)
      );
      const before = {
        accounts: accountsAfter,
        leads: new Set(leadWrites.map(({ lead }) => lead.row.id)),
        paths: new Set(paths!.rows.map(({ id }) => String(id))),
      };
      const shown = changeCasesOfLeads(
        author,
        leadWrites.map(({ lead }) => lead),
        found.slice(0, casesOfLeadsCount),
        (of) => reassignShownRecords(of, deletion, to, before),
      );
      statements.push(...[...leadWrites, ...shown].flatMap((write) => write.statements));
      events.push(...leadWrites.flatMap((write) => write.events), ...shown.map(({ event }) => event));
      if (leadWrites.length >= leads.most) return { statements, events, more: true };

      const caseWrites = readFullCases(found.slice(casesOfLeadsCount))
        .map((of) => reassignCase(author, of, deletion, to, before));
      statements.push(...caseWrites.flatMap((write) => write.statements));
      events.push(...caseWrites.map(({ event }) => event));
      return { statements, events, more: caseWrites.length >= cases.most };
    },
  };
}
