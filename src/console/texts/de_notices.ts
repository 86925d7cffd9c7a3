/** The sentences of notifications in German. */
import type { NotificationData, NotificationType } from "../../core/notifications.ts";

type Sentence = (data: NotificationData) => string;

const sentences: Readonly<Record<NotificationType, Sentence>> = {
  note: (data) => `${userOf(data)} hat Sie in einer Notiz zu ${caseOf(data)} erwähnt.`,
  task_assigned: (data) => `${userOf(data)} hat Ihnen eine Aufgabe zu ${caseOf(data)} gegeben.`,
  overdue_task: (data) => `Eine Aufgabe zu ${caseOf(data)} ist überfällig.`,
  lead_assigned: (data) => `Ein Lead${typeOf(data)} wartet darauf, angenommen zu werden.`,
  lead_escalated: (data) => `Ein Lead${typeOf(data)} ist eskaliert.`,
  lead_revoked: (data) => `Ein Lead${typeOf(data)} wurde entzogen.`,
  lead_accepted: (data) =>
    data.case
      ? `Ein Lead${typeOf(data)} wurde angenommen: ${named(data.case)}.`
      : `Ein Lead${typeOf(data)} wurde angenommen.`,
  case_owner: (data) =>
    data.case
      ? `${userOf(data)} hat Ihnen ${named(data.case)} übergeben.`
      : `${userOf(data)} hat Ihnen einen Fall übergeben.`,
  inbox: (data) => `${userOf(data)} bittet Sie, eine E-Mail zu ${caseOf(data)} anzusehen.`,
  incoming_email: (data) =>
    `${contactOf(data)} hat eine E-Mail zu ${caseOf(data)} geschickt${subjectOf(data)}.`,
  email_opened: (data) => `${contactOf(data)} hat Ihre E-Mail zu ${caseOf(data)} geöffnet${subjectOf(data)}.`,
  webhook_paused: (data) =>
    `Ihr Webhook${hostOf(data)} ist angehalten: Seit fünf Tagen kam nichts an, was an ihn ging. ` +
    "Setzen Sie ihn fort, wenn sein Ziel wieder antwortet, und holen Sie nach, was ihm fehlt.",
  handed_over: (data) =>
    `${userOf(data)} hat Ihnen Webhooks oder Anwendungen einer gelöschten Person übergeben.`,
  campaign_sent: ({ campaign }) =>
    campaign ? `Die Kampagne ${campaign.name} wurde verschickt.` : "Eine Kampagne wurde verschickt.",
  scheduled_report: ({ scheduled_report: report }) =>
    report ? `Der Bericht ${report.name} ist da.` : "Ein geplanter Bericht ist da.",
  scheduled_report_failed: ({ scheduled_report: report }) =>
    report
      ? `Der Bericht ${report.name} kam nicht wie geplant.`
      : "Ein geplanter Bericht kam nicht wie geplant.",
  notified_report: (data) => `${userOf(data)} bittet Sie, einen Bericht anzusehen.`,
  custom: (data) => `${userOf(data)} hat Ihnen eine Nachricht geschickt.`,
};

export const germanNotice = (type: NotificationType, data: NotificationData): string => sentences[type](data);

const userOf: Sentence = ({ user }) => user ? `${user.first_name} ${user.last_name}`.trim() : "Jemand";

const caseOf: Sentence = (data) => data.case ? named(data.case) : "einem Fall";

function named({ case_number, relations_path_name: path }: NonNullable<NotificationData["case"]>): string {
  return `Fall ${case_number}${path === null ? "" : ` (${path})`}`;
}

const contactOf: Sentence = ({ contact }) =>
  [contact?.first_name, contact?.last_name].filter(Boolean).join(" ") || "Ein Kontakt";

const subjectOf: Sentence = ({ email }) => email?.subject ? `: ${email.subject}` : "";

const typeOf: Sentence = (data) => data.lead_type ? ` der Art ${data.lead_type.name}` : "";

/** Shows only the host of a target: the rest of an address can be secret. */
const hostOf: Sentence = ({ webhook }) =>
  webhook ? ` ${webhook.id} an ${new URL(webhook.target_url).host}` : "";
