/** Gives each recipient of a campaign a task, in an open case of the recipient or in a new case. */
import type { FieldAuthor } from "../../db/commit.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { columnsOf, type Sql, sql } from "../../db/statements.ts";
import { accountColumns, accountJoins } from "../../customers/accounts/present.ts";
import { contactColumns, contactJoins } from "../../customers/contacts/present.ts";
import { teamJson } from "../../identity/teams/queries.ts";
import { guardThat, type Result, type Row, type Statement } from "../../platform/database/database.ts";
import { openCase } from "../../sales/cases/open.ts";
import { casesAmong, fullCases } from "../../sales/cases/queries.ts";
import {
  type CaseAccount,
  caseAccountOf,
  type CaseContact,
  caseContactOf,
  type FullCase,
} from "../../sales/cases/record.ts";
import { caseEvent, changedCase, withStatus } from "../../sales/cases/write.ts";
import type { TaskRecord } from "../../sales/case_parts/tasks.ts";
import { pathOfRow, type PathRecord } from "../../sales/relations_paths/present.ts";
import { pathById } from "../../sales/relations_paths/queries.ts";
import { assignedNotifications, newTask, withTask } from "../../sales/tasks/write.ts";
import { noChange, type StagedKind, type Step } from "../../staged/kind.ts";
import { consentsSql } from "../consent.ts";
import { endStatements, sentNotification } from "./finish.ts";
import type { TaskPlan } from "./present.ts";
import { type CampaignRow, campaigns } from "./table.ts";

/** The staged work that makes the tasks of a campaign. */
export const tasksWorkKind = "campaign_tasks";

/** Recipients of a step, each of which may open a case. */
const stepRecipients = 10;

/** The payload of the staged work. */
interface Progress {
  /** Tasks of the steps before: users get tasks in turn, and recipients without a task take no turn. */
  readonly dealt: number;
}

export const tasksWork: StagedKind = {
  kind: tasksWorkKind,
  step({ company_id, subject, payload }, take) {
    const { dealt = 0 }: Partial<Progress> = JSON.parse(payload);
    const open = sql`select id from campaign_messages indexed by campaign_messages_taskless
      where campaign_id = ${subject} and task_id = '' and status <> 'skipped' order by id`;
    const { ids, most } = take(open, stepRecipients);
    return {
      reads: readsOf(company_id, subject, ids),
      apply(author, results) {
        const read = readResults(results);
        if (read === null) return noChange;
        const { tasks, ...made } = tasksOf(author, read, dealt);
        const { campaign } = read;
        const more = read.recipients.length >= most;
        const ends = !more && campaign.type === "telephone";
        return {
          ...made,
          more,
          payload: JSON.stringify({ dealt: dealt + tasks }),
          notifications: [...made.notifications, ...(ends ? [sentNotification(campaign)] : [])],
          last: ends ? [...endStatements(author, campaign, sql`1`), endStage(campaign)] : [],
        };
      },
    };
  },
};

function endStage({ id }: Pick<CampaignRow, "id">): Statement {
  return sql`update campaigns set stage = null where id = ${id}`;
}

/** A message of the step, with the contact and the open case that it is about. */
interface Recipient {
  readonly id: number;
  readonly contact_id: string;
  readonly status: string;
  readonly case_id: string | null;
  /** Whether the contact may still be called. */
  readonly is_wanted: number;
}

interface Person {
  readonly id: number;
  readonly name: string;
}

interface Read {
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

function readsOf(companyId: number, id: string, messages: Sql): Statement[] {
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

function readResults(results: readonly Result[]): Read | null {
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

interface Dealt extends Pick<Step, "statements" | "events"> {
  readonly notifications: readonly NotificationDraft[];
  /** The number of tasks. */
  readonly tasks: number;
}

/** Makes one task for each recipient, for the users of the plan in turn or the contact's user. */
function tasksOf(author: FieldAuthor, read: Read, dealt: number): Dealt {
  const statements: Statement[] = [];
  const events: EventDraft[] = [];
  const tasks: TaskRecord[] = [];
  let number = read.last;
  for (const recipient of read.recipients) {
    const contact = read.contacts.get(recipient.contact_id);
    const account = contact && read.accounts.get(contact.account_id);
    if (!contact || !account || recipient.is_wanted === 0) {
      statements.push(without(author, read.campaign, recipient));
      continue;
    }
    const user = userOf(read, contact, dealt + tasks.length);
    const existing = recipient.case_id === null ? null : read.cases.get(recipient.case_id) ?? null;
    const made = existing
      ? intoCase(author, read, existing, user)
      : withNewCase(author, read, { contact, account }, user, ++number);
    statements.push(...made.statements, ...recorded(author, read.campaign, recipient, made.task.id));
    events.push(...made.events);
    tasks.push(made.task);
  }
  const { company_id, user_id } = read.campaign;
  const isNext =
    sql`coalesce((select last from case_numbers where company_id = ${company_id}), 0) = ${read.last}`;
  return {
    statements: number === read.last ? statements : [guardThat("case_number", isNext), ...statements],
    events,
    notifications: assignedNotifications(user_id, tasks),
    tasks: tasks.length,
  };
}

interface Made {
  readonly task: TaskRecord;
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
}

function intoCase(author: FieldAuthor, { campaign }: Read, of: FullCase, user: Person): Made {
  const made = newTask(author, placeOf(campaign, of), planOf(campaign), user);
  const changed = changedCase(author, of, {}, { tasks: withTask(of.tasks, made.task) });
  return {
    task: made.task,
    statements: [...changed.statements, ...made.statements],
    events: [made.event, changed.event],
  };
}

function withNewCase(
  author: FieldAuthor,
  { campaign, path }: Read,
  { contact, account }: { readonly contact: CaseContact; readonly account: CaseAccount },
  user: Person,
  case_number: number,
): Made {
  const moved = withStatus(author, contact, "open");
  const opened = openCase(author, {
    company_id: campaign.company_id,
    team_id: contact.team_id,
    team: contact.contact_team,
    user_id: user.id,
    user_name: user.name,
    account,
    contact: moved.contact,
    path,
  });
  const made = newTask(author, placeOf(campaign, opened.of), planOf(campaign), user);
  const of = { ...opened.of, case_number, tasks: [made.task] };
  return {
    task: made.task,
    statements: [...moved.statements, ...opened.statements, ...made.statements],
    events: [...moved.events, caseEvent("case_created", of, author), made.event],
  };
}

function placeOf({ company_id, user_id }: CampaignRow, { id, team_id }: Pick<FullCase, "id" | "team_id">) {
  return { company_id, case_id: id, team_id, activity_id: null, created_by: user_id };
}

function planOf({ task }: CampaignRow) {
  const { start_at, end_at } = JSON.parse(task!) as TaskPlan;
  return { type: "call" as const, start_at, end_at };
}

/**
 * Returns the next user in turn or the contact's user, as the strategy requires; otherwise the campaign's
 * user.
 */
function userOf({ campaign, users }: Read, contact: CaseContact, turn: number): Person {
  const { distribution_strategy, distribute_users } = JSON.parse(campaign.task!) as TaskPlan;
  const own = { id: campaign.user_id, name: campaign.user_name };
  if (distribution_strategy === "responsible_user") return users.get(contact.user_id ?? 0) ?? own;
  const able = distribute_users.flatMap((id) => users.get(id) ?? []);
  return able[turn % able.length] ?? own;
}

/** Records the task of a message. A campaign by telephone counts the message as sent. */
function recorded(
  { at }: FieldAuthor,
  { id, type }: CampaignRow,
  message: Recipient,
  taskId: string,
): Statement[] {
  if (type !== "telephone") {
    return [sql`update campaign_messages set task_id = ${taskId} where id = ${message.id}`];
  }
  return [
    sql`update campaign_messages set task_id = ${taskId}, status = 'sent', sent_at = ${at}, updated_at = ${at}
      where id = ${message.id} and status = 'pending'`,
    sql`update campaigns set total_sent = total_sent + changes() where id = ${id}`,
  ];
}

/** Records that a recipient gets no task, because the contact was deleted or refuses calls. */
function without({ at }: FieldAuthor, { type }: CampaignRow, { id }: Recipient): Statement {
  return type === "telephone"
    ? sql`update campaign_messages set task_id = null, status = 'skipped', error = 'no_consent', updated_at = ${at}
        where id = ${id}`
    : sql`update campaign_messages set task_id = null where id = ${id}`;
}
