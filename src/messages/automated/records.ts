/**
 * Reads the records for sending an automated communication: the case with its contact and user, and the
 * definition's text.
 */
import { composeCaseFold } from "../../db/case_fold.ts";
import type { Member } from "../../core/access.ts";
import { readMemberRow, selectMemberJson } from "../../db/caller_guard.ts";
import { selectFieldsJson } from "../../db/custom_values.ts";
import { type Fields, readCompanyFields } from "../../fields/field_sets.ts";
import { isAlive } from "../../library/place.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { FileFacts } from "../../library/access.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import {
  type NextAutomated,
  parseNextAutomated,
  selectNextAutomated,
} from "../../sales/case_parts/automated.ts";
import { type AutomatedSendRow, sendColumns } from "../../sales/automated_sends/queue.ts";
import { caseByIdCount, readFullCase, selectCaseById } from "../../sales/cases/queries.ts";
import type { FullCase } from "../../sales/cases/parts.ts";
import { isBounced, isRefused } from "../consent.ts";
import { selectNewestThread } from "../correspondence/write.ts";
import type { Owner } from "../../identity/owners.ts";
import {
  type Facts,
  organisationColumns,
  type OrganisationFacts,
  type UserFacts,
} from "../placeholders/catalogue.ts";
import { namesDeletedField } from "../../customers/fields/placeholders.ts";
import type { Place } from "../placeholders/format.ts";

/** The ids of an automated communication that is due. */
export interface DueSend {
  readonly id: string;
  readonly company_id: number;
  readonly case_id: string;
}

/** Reads what `sendFacts` needs. */
export function selectSendFacts({ id, company_id, case_id }: DueSend): Statement[] {
  const ofCase = (column: Sql) => sql`(select ${column} from cases where id = ${case_id})`;
  const contact = sql`(select c.id from contacts c where c.id = ${ofCase(sql`contact_id`)})`;
  const message = sql`(select message_id from automated_sends where id = ${id})`;
  return [
    sql`select ${sendColumns("s")}, ${selectNextAutomated(sql`s.case_id`, sql`s.id`)} as next,
      m.subject as text_subject, m.content as text_content, m.template_id as text_template_id,
      ${namesDeletedField(sql`s.company_id`, sql`(m.subject || m.content || coalesce(t.content, ''))`)}
        as names_deleted, t.content as frame, t.team_id as frame_team_id, t.group_id as frame_group_id, t.kept_for as frame_kept_for,
      (select json_group_object(c.key, json(coalesce(${selectMemberJson(sql`c.value`)}, 'null')))
        from json_each(m.chosen_by) c) as choosers
      from automated_sends s
      left join automated_messages m on m.id = s.message_id and m.definition_id = s.definition_id
      left join templates t on t.id = m.template_id and t.company_id = s.company_id
      where s.id = ${id} and s.status = 'pending'`,
    sql`select ${organisationColumns}, currency, email_tracking,
      ${selectFieldsJson(sql`companies.id`)} as fields,
      coalesce(s.consent_enable, 0) as consent_enable, coalesce(s.consent_custom, 0) as consent_custom,
      s.unsubscribe_url from companies left join campaign_settings s on s.company_id = companies.id
      where companies.id = ${company_id}`,
    sql`select first_name, last_name, email, phone_number, signature_email,
      ${selectMemberJson(sql`users.id`)} as member
      from users where id = ${ofCase(sql`user_id`)} and deleted_at is null`,
    sql`select ${organisationColumns} from teams where id = coalesce(${ofCase(sql`team_id`)},
      (select c.team_id from contacts c where c.id = ${contact}))`,
    sql`select f.id, f.name, f.media, f.object_key from automated_messages m join json_each(m.attachments) a
      join files f on f.id = a.value where m.id = ${message} and f.company_id = ${company_id}
      and ${isAlive(company_id, sql`f.folder_id`)} order by a.key`,
    sql`select ${hasRefused(company_id, case_id)} as is_refused,
      ${isBounced(sql`${company_id}`, selectAddress(case_id))} as is_bounced,
      ${selectNewestThread(sql`${case_id}`)} as thread`,
    ...selectCaseById(company_id, case_id),
  ];
}

/** SQL: whether any contact of the company with the address of the case's contact has refused e-mails. */
export function hasRefused(companyId: number, caseId: string): Sql {
  return isRefused(sql`${companyId}`, selectAddress(caseId));
}

/** SQL: the address of the case's contact, in lower case. */
function selectAddress(caseId: string): Sql {
  return sql`(select ${composeCaseFold("addressed", "email")} from contacts addressed
    where addressed.id = (select contact_id from cases where id = ${caseId}))`;
}

/** The text of a communication as its definition has it now. */
export interface Text {
  readonly subject: string;
  readonly content: string;
  readonly template_id: number | null;
  /** The content of the template; null without one. */
  readonly frame: string | null;
  /** The owner of the template. */
  readonly frameOwner: Owner;
  /** The users who chose the template (`template`) and each file, by its id; null: deleted. */
  readonly choosers: Choosers;
  /** Whether the subject, the content or the template names a deleted field. */
  readonly namesDeleted: boolean;
}

export type Choosers = Readonly<Record<string, Member | null>>;

interface Settings {
  readonly consent_enable: number;
  readonly consent_custom: number;
  /** Whether the company wants to know which mails are opened. */
  readonly email_tracking: number;
  readonly unsubscribe_url: string | null;
}

export interface SendFacts {
  readonly send: AutomatedSendRow;
  /** Null: the definition or this communication was deleted. */
  readonly text: Text | null;
  /** The automated communication of the case that waits next, after this one. */
  readonly next: NextAutomated | null;
  /** Null while the case is being deleted. */
  readonly of: FullCase | null;
  readonly settings: Settings;
  /** Whether any contact with the same address has refused e-mails. */
  readonly isRefused: boolean;
  /** Whether a mail server has refused the address permanently. */
  readonly isBounced: boolean;
  /** The `selectNewestThread` of the case. */
  readonly thread: string | null;
  /** The user of the case; null: deleted or none. */
  readonly user: UserFacts | null;
  readonly company: OrganisationFacts & Place;
  readonly team: (OrganisationFacts & Omit<Place, "currency">) | null;
  readonly files: readonly Pick<FileFacts, "id" | "name" | "media" | "object_key">[];
  /** All fields of the company, for the event; and those that the user of the case sees, for the text. */
  readonly fields: { readonly all: string | null; readonly shown: Fields };
}

/** Reads the results of `selectSendFacts`; null when the communication no longer waits. */
export function sendFacts(results: readonly Result[]): SendFacts | null {
  const [sends, companies, users, teams, files, refused, ...cases] = results;
  const row = sends!.rows[0];
  const company = companies!.rows[0];
  if (!row || !company) return null;
  const { next, text_subject, text_content, text_template_id, frame, names_deleted, ...more } = row;
  const { frame_team_id, frame_group_id, frame_kept_for, choosers, ...send } = more;
  const user = users!.rows[0] as (Row & UserFacts) | undefined ?? null;
  const all = company.fields as string | null;
  const member = user?.member ? readMemberRow(JSON.parse(user.member as string) as Row) : stranger;
  return {
    send: send as Row & AutomatedSendRow,
    text: text_content === null ? null : {
      subject: String(text_subject),
      content: String(text_content),
      template_id: text_template_id as number | null,
      frame: frame as string | null,
      frameOwner: {
        team_id: frame_team_id as number | null,
        group_id: frame_group_id as number | null,
        kept_for: frame_kept_for as number | null,
      },
      choosers: Object.fromEntries(
        Object.entries(JSON.parse(choosers as string ?? "{}") as Record<string, Row | null>)
          .map(([key, member]) => [key, member && readMemberRow(member)]),
      ),
      namesDeleted: names_deleted === 1,
    },
    next: parseNextAutomated(next),
    of: readFullCase(cases.slice(0, caseByIdCount)),
    settings: company as Row & Settings,
    isRefused: refused!.rows[0]!.is_refused === 1,
    isBounced: refused!.rows[0]!.is_bounced === 1,
    thread: refused!.rows[0]!.thread as string | null,
    user,
    company: company as Row & OrganisationFacts & Place,
    team: teams!.rows[0] as (Row & OrganisationFacts & Place) | undefined ?? null,
    files: files!.rows as (Row & SendFacts["files"][number])[],
    fields: { all, shown: readCompanyFields(all, member).seen },
  };
}

/** The viewer when the case has no user: sees the fields that all users see. */
const stranger = { userType: "user" as const, teamIds: [], groupIds: [], activeTeamId: null };

/** Returns the records from which placeholders take their values. */
export function composePlaceholderFacts(
  { company, team, user, of }: SendFacts & { readonly of: FullCase },
  unsubscribe_url: string,
  now: number,
): Omit<Facts, "subject" | "content"> {
  const { locale, timezone } = team ?? company;
  return {
    now,
    place: { locale, timezone, currency: company.currency },
    contact: of.contact,
    account: of.account,
    user,
    team,
    company,
    case: { case_number: String(of.case_number ?? ""), relations_path_name: of.path_name },
    task: null,
    products: of.product_details.flatMap(({ products }) => products),
    unsubscribe_url,
  };
}
