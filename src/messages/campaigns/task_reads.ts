/** Reads what the tasks of a campaign are made of. */
import type { Member } from "../../core/access.ts";
import { readMemberRow, selectMemberJson } from "../../db/caller_guard.ts";
import { selectColumns, type Sql, sql } from "../../db/statements.ts";
import { accountColumns, accountJoins } from "../../customers/accounts/present.ts";
import { contactColumns, contactJoins } from "../../customers/contacts/present.ts";
import { selectTeamJson } from "../../identity/teams/queries.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { readFullCases, selectCasesAmong } from "../../sales/cases/queries.ts";
import {
  type CaseAccount,
  type CaseContact,
  type FullCase,
  readCaseAccount,
  readCaseContact,
  selectFirstValue,
} from "../../sales/cases/parts.ts";
import { type PathRecord, readPathRow } from "../../sales/relations_paths/present.ts";
import { selectPathById } from "../../sales/relations_paths/queries.ts";
import { hasConsented, isCallRefused } from "../consent.ts";
import { maySend, selectAdmins, type Sending, sendingColumns } from "./may_send.ts";
import { type CampaignRow, campaigns } from "./record.ts";

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

/** A user, with the teams whose records the user sees. */
export interface PlannedPerson extends Person {
  readonly member: Member;
}

/** The staged work that makes the tasks of a campaign. */
export const tasksWorkKind = "campaign_tasks";

export interface Read {
  readonly campaign: CampaignRow & { readonly user_name: string };
  readonly recipients: readonly Recipient[];
  readonly contacts: ReadonlyMap<string, CaseContact>;
  readonly accounts: ReadonlyMap<string, CaseAccount>;
  readonly path: PathRecord;
  readonly cases: ReadonlyMap<string, FullCase>;
  /** The users of the plan and of the contacts that exist, by id. */
  readonly users: ReadonlyMap<number, PlannedPerson>;
  /** Whether the campaign's user may still send it, and the admins, who are notified if not. */
  readonly maySend: boolean;
  readonly admins: readonly Row[];
  /** The last case number of the company. */
  readonly last: number;
  /** The value of a new case. */
  readonly firstValue: number | null;
}

/** Reads the campaign with the messages, a select of ids, and all that their tasks depend on. */
export function selectTaskReads(companyId: number, id: string, messages: Sql): Statement[] {
  const stored = sql`from campaigns o where o.id = ${id}`;
  const contacts = sql`select contact_id from campaign_messages where id in (${messages})`;
  const openCase = sql`(select cs.id from cases cs where cs.contact_id = m.contact_id and cs.status = 'open'
    and cs.relations_path_id = o.relations_path_id and (o.team_id is null or cs.team_id is o.team_id)
    order by cs.seq desc limit 1)`;
  const contactTeam = selectTeamJson(sql`contact.team_id`);
  const accountTeam = selectTeamJson(sql`account.team_id`);
  const member = selectMemberJson(sql`p.id`);
  return [
    sql`select ${selectColumns(campaigns, "o")}, (select trim(u.first_name || ' ' || u.last_name) from users u
      where u.id = o.user_id) as user_name, ${sendingColumns}, ${selectMemberJson(sql`o.user_id`)} as member,
      coalesce((select n.last from case_numbers n where n.company_id = o.company_id), 0) as last,
      ${selectFirstValue(companyId)} as first_value ${stored}`,
    sql`select m.id, m.contact_id, m.status, ${openCase} as case_id, exists (select 1 from contacts r
      where r.id = m.contact_id and ${hasConsented(sql`r.consent_call`, sql`coalesce(s.consent_enable, 0)`)}
      and not ${isCallRefused(sql`o.company_id`, sql`r.e164`)}) as is_wanted from campaign_messages m
      join campaigns o on o.id = m.campaign_id
      left join campaign_settings s on s.company_id = o.company_id where m.id in (${messages}) order by m.id`,
    sql`select ${contactColumns}, ${contactTeam} as contact_team from contacts contact
      ${contactJoins} where contact.id in (${contacts})`,
    sql`select ${accountColumns}, ${accountTeam} as account_team from accounts account
      ${accountJoins} where account.id in (select account_id from contacts where id in (${contacts}))`,
    selectPathById(sql`(select relations_path_id ${stored})`, companyId),
    sql`select p.id, trim(p.first_name || ' ' || p.last_name) as name, ${member} as member
      from users p
      where p.company_id = ${companyId} and p.deleted_at is null and (p.id in (select c.user_id from contacts c
      where c.id in (${contacts})) or p.id = (select user_id ${stored}) or p.id in (select d.value
      from campaigns o, json_each(o.task, '$.distribute_users') d where o.id = ${id}))`,
    selectAdmins(companyId),
    ...selectCasesAmong(
      sql`select ${openCase} from campaign_messages m join campaigns o on o.id = m.campaign_id
      where m.id in (${messages})`,
    ),
  ];
}

/** Returns null when the campaign, its task or its path is gone: then nothing is left to do. */
export function readResults(results: readonly Result[]): Read | null {
  const [sent, recipients, contacts, accounts, paths, users, admins, ...cases] = results;
  const campaign = sent!.rows[0] as
    | Sending & Read["campaign"] & { readonly member: string | null }
    | undefined;
  if (!campaign || campaign.task === null || !paths!.rows[0]) return null;
  const byId = <T extends { readonly id: string | number }>(all: readonly T[]) =>
    new Map(all.map((each) => [each.id, each]));
  return {
    campaign,
    recipients: recipients!.rows as (Row & Recipient)[],
    contacts: byId(contacts!.rows.map(readCaseContact)) as Map<string, CaseContact>,
    accounts: byId(accounts!.rows.map(readCaseAccount)) as Map<string, CaseAccount>,
    path: readPathRow(paths!.rows[0]),
    cases: byId(readFullCases(cases)) as Map<string, FullCase>,
    users: byId(users!.rows.map((row) => ({
      id: row.id as number,
      name: row.name as string,
      member: readMemberRow(JSON.parse(row.member as string) as Row),
    }))) as Map<number, PlannedPerson>,
    maySend: campaign.member !== null &&
      maySend(campaign, readMemberRow(JSON.parse(campaign.member) as Row)),
    admins: admins!.rows,
    last: Number(campaign.last),
    firstValue: campaign.first_value as number | null,
  };
}
