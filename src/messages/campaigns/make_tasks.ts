/** Gives each recipient of a campaign a task, in an open case of the recipient or in a new case. */
import { seesTeam } from "../../core/access.ts";
import type { FieldAuthor } from "../../db/commit.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { sql } from "../../db/statements.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import { openCase } from "../../sales/cases/open.ts";
import type { CaseAccount, CaseContact, FullCase } from "../../sales/cases/parts.ts";
import { changeCase, changeContactStatus, draftCaseEvent } from "../../sales/cases/write.ts";
import type { TaskRecord } from "../../sales/tasks/record.ts";
import { addTask, draftTaskNotifications, makeTask } from "../../sales/tasks/write.ts";
import { noChange, type StagedKind, type Step } from "../../staged/kind.ts";
import { draftSentNotification, endStatements } from "./finish.ts";
import { draftNotice } from "./may_send.ts";
import type { TaskPlan } from "./present.ts";
import { endSending } from "./stop.ts";
import { explainStop, unpermitted } from "./stop_unpermitted.ts";
import {
  type Person,
  type Read,
  readResults,
  type Recipient,
  selectTaskReads,
  tasksWorkKind,
} from "./task_reads.ts";
import type { CampaignRow } from "./record.ts";

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
      reads: selectTaskReads(company_id, subject, ids),
      apply(author, results) {
        const read = readResults(results);
        if (read === null) return noChange;
        // What was mailed before is followed up; a campaign of calls alone is stopped like one of mails.
        if (read.campaign.type === "telephone" && !read.maySend) return stopCampaign(author, read);
        const { tasks, ...made } = dealTasks(author, read, dealt);
        const { campaign } = read;
        const more = read.recipients.length >= most;
        const ends = !more && campaign.type === "telephone";
        return {
          ...made,
          more,
          payload: JSON.stringify({ dealt: dealt + tasks }),
          notifications: [...made.notifications, ...(ends ? [draftSentNotification(campaign)] : [])],
          last: ends ? [...endStatements(author, campaign, sql`1`), endStage(campaign)] : [],
        };
      },
    };
  },
};

function stopCampaign(author: FieldAuthor, { campaign, admins }: Read): Step {
  return {
    statements: endSending(author, campaign, unpermitted),
    events: [],
    notifications: [draftNotice(campaign.user_id, admins, explainStop(campaign.name))],
    more: false,
  };
}

function endStage({ id }: Pick<CampaignRow, "id">): Statement {
  return sql`update campaigns set stage = null where id = ${id}`;
}

interface Dealt extends Pick<Step, "statements" | "events"> {
  readonly notifications: readonly NotificationDraft[];
  /** The number of tasks. */
  readonly tasks: number;
}

/** Makes one task for each recipient, for the users of the plan in turn or the contact's user. */
function dealTasks(author: FieldAuthor, read: Read, dealt: number): Dealt {
  const statements: Statement[] = [];
  const events: EventDraft[] = [];
  const tasks: TaskRecord[] = [];
  let number = read.last;
  for (const recipient of read.recipients) {
    const contact = read.contacts.get(recipient.contact_id);
    const account = contact && read.accounts.get(contact.account_id);
    if (!contact || !account || recipient.is_wanted === 0) {
      statements.push(recordWithoutTask(author, read.campaign, recipient));
      continue;
    }
    const existing = recipient.case_id === null ? null : read.cases.get(recipient.case_id) ?? null;
    const user = chooseUser(read, contact, (existing ?? contact).team_id, dealt + tasks.length);
    const made = existing
      ? addToCase(author, read, existing, user)
      : withNewCase(author, read, { contact, account }, user, ++number);
    statements.push(...made.statements, ...recordTask(author, read.campaign, recipient, made.task.id));
    events.push(...made.events);
    tasks.push(made.task);
  }
  const { company_id, user_id } = read.campaign;
  const isNext =
    sql`coalesce((select last from case_numbers where company_id = ${company_id}), 0) = ${read.last}`;
  return {
    statements: number === read.last ? statements : [guardThat("case_number", isNext), ...statements],
    events,
    notifications: draftTaskNotifications(user_id, tasks),
    tasks: tasks.length,
  };
}

interface Made {
  readonly task: TaskRecord;
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
}

function addToCase(author: FieldAuthor, { campaign }: Read, of: FullCase, user: Person): Made {
  const made = makeTask(author, of, makeOrigin(campaign), readPlan(campaign), user);
  const changed = changeCase(author, of, {}, { tasks: addTask(of.tasks, made.task) });
  return {
    task: made.task,
    statements: [...changed.statements, ...made.statements],
    events: [made.event, changed.event],
  };
}

function withNewCase(
  author: FieldAuthor,
  { campaign, path, firstValue: value }: Read,
  { contact, account }: { readonly contact: CaseContact; readonly account: CaseAccount },
  user: Person,
  case_number: number,
): Made {
  const moved = changeContactStatus(author, contact, "open");
  const opened = openCase(author, {
    company_id: campaign.company_id,
    team_id: contact.team_id,
    team: contact.contact_team,
    user_id: user.id,
    user_name: user.name,
    account,
    contact: moved.contact,
    path,
    value,
  });
  const numbered = { ...opened.of, case_number };
  const made = makeTask(author, numbered, makeOrigin(campaign), readPlan(campaign), user);
  const of = { ...numbered, tasks: [made.task] };
  return {
    task: made.task,
    statements: [...moved.statements, ...opened.statements, ...made.statements],
    events: [...moved.events, draftCaseEvent("case_created", of, author), made.event],
  };
}

function makeOrigin({ company_id, user_id }: CampaignRow) {
  return { company_id, activity_id: null, created_by: user_id };
}

function readPlan({ task }: CampaignRow) {
  const { start_at, end_at } = JSON.parse(task!) as TaskPlan;
  return { type: "call" as const, start_at, end_at };
}

/**
 * Returns the next user in turn or the contact's user, as the strategy requires, who sees the team's records
 * at this moment; otherwise the campaign's user.
 */
function chooseUser(
  { campaign, users }: Read,
  contact: CaseContact,
  teamId: number | null,
  turn: number,
): Person {
  const { distribution_strategy, distribute_users } = JSON.parse(campaign.task!) as TaskPlan;
  const own = { id: campaign.user_id, name: campaign.user_name };
  const seeing = (id: number) => {
    const user = users.get(id);
    return user && seesTeam(user.member, teamId) ? [user] : [];
  };
  if (distribution_strategy === "responsible_user") return seeing(contact.user_id ?? 0)[0] ?? own;
  const able = distribute_users.flatMap(seeing);
  return able[turn % able.length] ?? own;
}

/** Records the task of a message. A campaign by telephone counts the message as sent. */
function recordTask(
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
function recordWithoutTask({ at }: FieldAuthor, { type }: CampaignRow, { id }: Recipient): Statement {
  return type === "telephone"
    ? sql`update campaign_messages set task_id = null, status = 'skipped', error = 'no_consent', updated_at = ${at}
        where id = ${id}`
    : sql`update campaign_messages set task_id = null where id = ${id}`;
}
