/** The catalogue of notifications: types, referenced records and texts. */
import { escapeHtml } from "./html.ts";

/** The records that a notification can refer to, with the types of their ids. */
interface Ids {
  user: number;
  case: string;
  task: string;
  lead: string;
  lead_type: string;
  webhook: number;
  correspondence: string;
  /** A correspondence, as an e-mail. */
  email: string;
  contact: string;
  campaign: string;
  /** `report` is a stored report of a schedule, `notified_report` a report that a user sent. */
  report: string;
  scheduled_report: string;
  notified_report: string;
}

/** The records of each type; `user` caused the notification. */
export const notified = {
  note: ["user", "case"],
  task_assigned: ["user", "case", "task"],
  overdue_task: ["case", "task"],
  lead_assigned: ["lead", "lead_type"],
  lead_escalated: ["lead", "lead_type"],
  lead_revoked: ["lead", "lead_type"],
  lead_accepted: ["lead", "lead_type", "case"],
  case_owner: ["user", "case"],
  inbox: ["user", "case", "correspondence"],
  incoming_email: ["email", "case", "contact"],
  email_opened: ["email", "case", "contact"],
  webhook_paused: ["webhook"],
  handed_over: ["user"],
  campaign_sent: ["campaign"],
  scheduled_report: ["report", "scheduled_report"],
  scheduled_report_failed: ["scheduled_report"],
  notified_report: ["user", "notified_report"],
  custom: ["user"],
} as const satisfies Record<string, readonly (keyof Ids)[]>;

export type NotificationType = keyof typeof notified;

export const notificationTypes = Object.keys(notified) as NotificationType[];

/** The records of a notification type by id. `user` is null when a timer caused the notification. */
export type Named<T extends NotificationType> = {
  readonly [K in typeof notified[T][number]]: { readonly id: Ids[K] } | (K extends "user" ? null : never);
};

/** The data of the records that a notification shows. Null: the record no longer exists. */
export interface NotificationData {
  readonly user?: {
    readonly id: number;
    readonly first_name: string;
    readonly last_name: string;
    readonly profile_picture: string | null;
  } | null;
  readonly case?: {
    readonly id: string;
    readonly case_number: number;
    readonly relations_path_name: string | null;
  } | null;
  readonly task?: { readonly id: string };
  readonly lead?: { readonly id: string };
  readonly lead_type?: { readonly id: string; readonly name: string } | null;
  readonly correspondence?: { readonly id: string };
  readonly email?: {
    readonly id: string;
    readonly correspondence_id: string;
    readonly subject: string | null;
  } | null;
  readonly contact?: {
    readonly id: string;
    readonly first_name: string | null;
    readonly last_name: string | null;
    readonly account_id: string;
  } | null;
  readonly webhook?: { readonly id: number; readonly target_url: string } | null;
  readonly campaign?: { readonly id: string; readonly name: string; readonly type: string } | null;
  readonly report?: { readonly id: string };
  readonly scheduled_report?: { readonly id: string; readonly name: string } | null;
  readonly notified_report?: { readonly id: string };
}

/** The subject of each type, without any data: lock screens and subject lines show it. */
export const titles: Readonly<Record<NotificationType, string>> = {
  note: "You were mentioned in a note",
  task_assigned: "You have a new task",
  overdue_task: "A task is overdue",
  lead_assigned: "A lead is waiting",
  lead_escalated: "A lead has escalated",
  lead_revoked: "A lead has been revoked",
  lead_accepted: "A lead has been accepted",
  case_owner: "You have a new case",
  inbox: "You were asked to look at an e-mail",
  incoming_email: "An e-mail has arrived",
  email_opened: "An e-mail was opened",
  webhook_paused: "A webhook has been paused",
  handed_over: "Webhooks or applications are now yours",
  campaign_sent: "A campaign was sent",
  scheduled_report: "A scheduled report is there",
  scheduled_report_failed: "A scheduled report did not come as planned",
  notified_report: "You were asked to look at a report",
  custom: "You have a new message",
};

/** The text of a notification. */
export interface Message {
  readonly plain: string;
  /** HTML. */
  readonly formatted: string;
}

/** Returns the text of a notification. `message`: the stored text; for type `custom`, the sender's. */
export function composeMessage(
  type: NotificationType,
  data: NotificationData,
  message: string | null,
): Message {
  if (message !== null) {
    return { plain: message, formatted: escapeHtml(message).replaceAll(/\r\n?|\n/g, "<br>") };
  }
  return {
    plain: words[type](data, (text) => text),
    formatted: words[type](data, (text) => `<b>${escapeHtml(text)}</b>`),
  };
}

/** `quote` receives every value from the data. It emphasises the value and, in HTML, escapes it. */
type Words = (data: NotificationData, quote: (text: string) => string) => string;

const words: Readonly<Record<NotificationType, Words>> = {
  note: (data, quote) => `${nameUser(data, quote)} mentioned you in a note on ${nameCase(data, quote)}.`,
  task_assigned: (data, quote) => `${nameUser(data, quote)} assigned you a task on ${nameCase(data, quote)}.`,
  overdue_task: (data, quote) => `A task on ${nameCase(data, quote)} is overdue.`,
  lead_assigned: (data, quote) => `A lead${appendType(data, quote)} waits to be accepted.`,
  lead_escalated: (data, quote) => `A lead${appendType(data, quote)} has escalated.`,
  lead_revoked: (data, quote) => `A lead${appendType(data, quote)} has been revoked.`,
  lead_accepted: (data, quote) =>
    `A lead${appendType(data, quote)} has been accepted: ${nameCase(data, quote)}.`,
  case_owner: (data, quote) => `${nameUser(data, quote)} gave you ${nameCase(data, quote)}.`,
  inbox: (data, quote) =>
    `${nameUser(data, quote)} asks you to look at an e-mail of ${nameCase(data, quote)}.`,
  incoming_email: (data, quote) =>
    `${nameContact(data, quote)} sent an e-mail to ${nameCase(data, quote)}${appendSubject(data, quote)}.`,
  email_opened: (data, quote) => {
    const subject = appendSubject(data, quote);
    return `${nameContact(data, quote)} opened your e-mail of ${nameCase(data, quote)}${subject}.`;
  },
  webhook_paused: (data, quote) => {
    const host = appendHost(data, quote);
    return `Your webhook${host} has been paused: nothing that was sent to it has arrived for five days. ` +
      "Resume it when its target works again, and recover what it has missed.";
  },
  handed_over: (data, quote) =>
    `${nameUser(data, quote)} gave you webhooks or applications of a deleted user.`,
  campaign_sent: ({ campaign }, quote) =>
    campaign ? `The campaign ${quote(campaign.name)} was sent.` : "A campaign was sent.",
  scheduled_report: ({ scheduled_report }, quote) =>
    scheduled_report
      ? `The report ${quote(scheduled_report.name)} is there.`
      : "A scheduled report is there.",
  scheduled_report_failed: ({ scheduled_report }, quote) =>
    `The report${scheduled_report ? ` ${quote(scheduled_report.name)}` : ""} did not come as planned.`,
  notified_report: (data, quote) => `${nameUser(data, quote)} asks you to look at a report.`,
  custom: (data, quote) => `${nameUser(data, quote)} sent you a message.`,
};

const nameUser: Words = ({ user }, quote) =>
  user ? quote(`${user.first_name} ${user.last_name}`.trim()) : "Somebody";

const nameCase: Words = (data, quote) => {
  if (!data.case) return "a case";
  const { case_number, relations_path_name: path } = data.case;
  return `case ${quote(String(case_number))}${path === null ? "" : ` (${quote(path)})`}`;
};

const nameContact: Words = ({ contact }, quote) => {
  const name = [contact?.first_name, contact?.last_name].filter(Boolean).join(" ");
  return name === "" ? "A contact" : quote(name);
};

const appendSubject: Words = ({ email }, quote) => email?.subject ? `: ${quote(email.subject)}` : "";

const appendType: Words = (data, quote) => data.lead_type ? ` of the type ${quote(data.lead_type.name)}` : "";

/** Shows only the host of a target: the rest of an address can be secret, and texts are mailed. */
const appendHost: Words = ({ webhook }, quote) =>
  webhook ? ` ${quote(String(webhook.id))} to ${quote(new URL(webhook.target_url).host)}` : "";
