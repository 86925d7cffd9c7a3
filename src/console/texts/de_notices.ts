/** The sentences of notifications in German. */
import type { NotificationData, NotificationType } from "../../core/notifications.ts";

type Sentence = (data: NotificationData) => string;

const sentences: Readonly<Record<NotificationType, Sentence>> = {
  note: (data) => `${nameUser(data)} hat Sie in einer Notiz zu ${nameCase(data)} erwähnt.`,
  task_assigned: (data) => `${nameUser(data)} hat Ihnen eine Aufgabe zu ${nameCase(data)} gegeben.`,
  overdue_task: (data) => `Eine Aufgabe zu ${nameCase(data)} ist überfällig.`,
  lead_assigned: (data) => `Ein Lead${appendType(data)} wartet darauf, angenommen zu werden.`,
  lead_escalated: (data) => `Ein Lead${appendType(data)} ist eskaliert.`,
  lead_revoked: (data) => `Ein Lead${appendType(data)} wurde entzogen.`,
  lead_accepted: (data) =>
    data.case
      ? `Ein Lead${appendType(data)} wurde angenommen: ${describeCase(data.case)}.`
      : `Ein Lead${appendType(data)} wurde angenommen.`,
  case_owner: (data) =>
    data.case
      ? `${nameUser(data)} hat Ihnen ${describeCase(data.case)} übergeben.`
      : `${nameUser(data)} hat Ihnen einen Fall übergeben.`,
  inbox: (data) => `${nameUser(data)} bittet Sie, eine E-Mail zu ${nameCase(data)} anzusehen.`,
  incoming_email: (data) =>
    `${nameContact(data)} hat eine E-Mail zu ${nameCase(data)} geschickt${appendSubject(data)}.`,
  email_opened: (data) =>
    `${nameContact(data)} hat Ihre E-Mail zu ${nameCase(data)} geöffnet${appendSubject(data)}.`,
  webhook_paused: (data) =>
    `Ihr Webhook${appendHost(data)} ist angehalten: Seit fünf Tagen kam nichts an, was an ihn ging. ` +
    "Setzen Sie ihn fort, wenn sein Ziel wieder antwortet, und holen Sie nach, was ihm fehlt.",
  handed_over: (data) =>
    `${nameUser(data)} hat Ihnen Webhooks oder Anwendungen einer gelöschten Person übergeben.`,
  campaign_sent: ({ campaign }) =>
    campaign ? `Die Kampagne ${campaign.name} wurde verschickt.` : "Eine Kampagne wurde verschickt.",
  scheduled_report: ({ scheduled_report: report }) =>
    report ? `Der Bericht ${report.name} ist da.` : "Ein geplanter Bericht ist da.",
  scheduled_report_failed: ({ scheduled_report: report }) =>
    report
      ? `Der Bericht ${report.name} kam nicht wie geplant.`
      : "Ein geplanter Bericht kam nicht wie geplant.",
  notified_report: (data) => `${nameUser(data)} bittet Sie, einen Bericht anzusehen.`,
  custom: (data) => `${nameUser(data)} hat Ihnen eine Nachricht geschickt.`,
};

export const writeGermanNotice = (type: NotificationType, data: NotificationData): string =>
  sentences[type](data);

const nameUser: Sentence = ({ user }) => user ? `${user.first_name} ${user.last_name}`.trim() : "Jemand";

const nameCase: Sentence = (data) => data.case ? describeCase(data.case) : "einem Fall";

function describeCase(
  { case_number, relations_path_name: path }: NonNullable<NotificationData["case"]>,
): string {
  return `Fall ${case_number}${path === null ? "" : ` (${path})`}`;
}

const nameContact: Sentence = ({ contact }) =>
  [contact?.first_name, contact?.last_name].filter(Boolean).join(" ") || "Ein Kontakt";

const appendSubject: Sentence = ({ email }) => email?.subject ? `: ${email.subject}` : "";

const appendType: Sentence = (data) => data.lead_type ? ` der Art ${data.lead_type.name}` : "";

/** Shows only the host of a target: the rest of an address can be secret. */
const appendHost: Sentence = ({ webhook }) =>
  webhook ? ` ${webhook.id} an ${new URL(webhook.target_url).host}` : "";
