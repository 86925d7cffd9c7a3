/** Reads what the tasks of a campaign are made of. */
import { columnsOf, type Sql, sql } from "../../db/statements.ts";
import { accountColumns, accountJoins } from "../../customers/accounts/present.ts";
import { contactColumns, contactJoins } from "../../customers/contacts/present.ts";
import { teamJson } from "../../identity/teams/queries.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { casesAmong, fullCases } from "../../sales/cases/queries.ts";
import {
  type CaseAccount,
  caseAccountOf,
  type CaseContact,
  caseContactOf,
  type FullCase,
} from "../../sales/cases/record.ts";
import { pathOfRow, type PathRecord } from "../../sales/relations_paths/present.ts";
import { pathById } from "../../sales/relations_paths/queries.ts";
import { consentsSql } from "../consent.ts";
import { type CampaignRow, campaigns } from "./table.ts";

/** A message of the step, with the contact and the open case that it is about. */
export interface Recipient {
  readonly id: number;
  readonly contact_id: string;
  readonly status: string;
  readonly case_id: string | null;
  /** Whether the contact may still be called. */
  readonly is_wanted: number;
}

export interface Person {
  readonly id: number;
  readonly name: string;
}

export interface Read {
  readonly campaign: CampaignRow & { readonly user_name: string };
  readonly recipients: readonly Recipient[];
  readonly contacts: ReadonlyMap<string, CaseContact>;
  readonly accounts: ReadonlyMap<string, CaseAccount>;
  readonly path: PathRecord;
  readonly cases: ReadonlyMap<string, FullCase>;
  /** The users of the plan and of the contacts that exist, by id. */
  readonly users: ReadonlyMap<number, Person>;
  /** The last case number of the company. */
  readonly last: number;
}

/** Reads the campaign with the messages, a select of ids, and all that their tasks depend on. */
export function readsOf(companyId: number, id: string, messages: Sql): Statement[] {
  const stored = sql`from campaigns o where o.id = ${id}`;
  const contacts = sql`select contact_id from campaign_messages where id in (${messages})`;
  const openCase = sql`(select cs.id from cases cs where cs.contact_id = m.contact_id and cs.status = 'open'
    and cs.relations_path_id = o.relations_path_id and (o.team_id is null or cs.team_id is o.team_id)
    order by cs.seq desc limit 1)`;
  return [
    sql`select ${columnsOf(campaigns, "o")}, (select trim(u.first_name || ' ' || u.last_name) from users u
      where u.id = o.user_id) as user_name,
      coalesce((select n.last from case_numbers n where n.company_id = o.company_id), 0) as last ${stored}`,
    sql`select m.id, m.contact_id, m.status, ${openCase} as case_id, exists (select 1 from contacts r
      where r.id = m.contact_id and ${
      consentsSql(sql`r.consent_call`, sql`coalesce(s.consent_enable, 0)`)
    }) as is_wanted from campaign_messages m join campaigns o on o.id = m.campaign_id
      left join campaign_settings s on s.company_id = o.company_id where m.id in (${messages}) order by m.id`,
    sql`select ${contactColumns}, ${teamJson(sql`contact.team_id`)} as contact_team from contacts contact
      ${contactJoins} where contact.id in (${contacts})`,
    sql`select ${accountColumns}, ${teamJson(sql`account.team_id`)} as account_team from accounts account
      ${accountJoins} where account.id in (select account_id from contacts where id in (${contacts}))`,
    pathById(sql`(select relations_path_id ${stored})`, companyId),
    sql`select u.id, trim(u.first_name || ' ' || u.last_name) as name from users u
      where u.company_id = ${companyId} and u.deleted_at is null and (u.id in (select c.user_id from contacts c
      where c.id in (${contacts})) or u.id = (select user_id ${stored}) or u.id in (select d.value
      from campaigns o, json_each(o.task, '$.distribute_users') d where o.id = ${id}))`,
    ...casesAmong(sql`select ${openCase} from campaign_messages m join campaigns o on o.id = m.campaign_id
      where m.id in (${messages})`),
  ];
}

/** Returns null when the campaign, its task or its path is gone: then nothing is left to do. */
export function readResults(results: readonly Result[]): Read | null {
  const [sent, recipients, contacts, accounts, paths, users, ...cases] = results;
  const campaign = sent!.rows[0] as Row & Read["campaign"] | undefined;
  if (!campaign || campaign.task === null || !paths!.rows[0]) return null;
  const byId = <T extends { readonly id: string | number }>(all: readonly T[]) =>
    new Map(all.map((each) => [each.id, each]));
  return {
    campaign,
    recipients: recipients!.rows as (Row & Recipient)[],
    contacts: byId(contacts!.rows.map(caseContactOf)) as Map<string, CaseContact>,
    accounts: byId(accounts!.rows.map(caseAccountOf)) as Map<string, CaseAccount>,
    path: pathOfRow(paths!.rows[0]),
    cases: byId(fullCases(cases)) as Map<string, FullCase>,
    users: byId(users!.rows as (Row & Person)[]) as Map<number, Person>,
    last: Number(campaign.last),
  };
}
