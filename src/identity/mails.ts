/** Builds all mails to people, with their texts in one place, so that other languages can be added. */
import { Problem } from "../core/errors.ts";
import { escapeHtml } from "../core/html.ts";
import { type Message, type NotificationType, titles } from "../core/notifications.ts";
import type { Deps } from "../deps.ts";
import type { Mail } from "../platform/mail/mail.ts";
import { isLocal } from "../http/request.ts";

/** Pages that links in mails lead to. */
export const invitationPath = "/auth/invitation";
export const resetPath = "/auth/reset-password";

/** The call that sends the mail. */
interface Call {
  readonly deps: Pick<Deps, "config" | "log">;
  readonly origin: string;
}

/** Builds the mail to an invited person. Throws 503 when links require `PUBLIC_URL` and it is not set. */
export function composeInvitationMail(call: Call, to: string, company: string, token: string): Mail {
  const name = oneLine(company);
  return composeMail(to, texts.invitation.subject(name), {
    ...texts.invitation,
    title: texts.invitation.title(name),
    lead: texts.invitation.lead(name),
    link: makeLink(call, invitationPath, token),
  });
}

/**
 * Builds the mail with a link to reset a password. Throws 503 as `composeInvitationMail` does. `next`: the page that signing
 * in leads to afterwards.
 */
export function resetMail(call: Call, to: string, token: string, next = ""): Mail {
  const link = makeLink(call, resetPath, token);
  const more = next === "" ? "" : `&${new URLSearchParams({ next })}`;
  return composeMail(to, texts.reset.subject, { ...texts.reset, link: link + more });
}

/** Builds the mail to a user's former address. `own`: whether the user, not another one, changed it. */
export function composeAddressChangedMail(to: string, email: string, own: boolean): Mail {
  const { subject, title, lead, note } = texts.address;
  const [first, second] = [lead(email), own ? note.own : note.other];
  return {
    to,
    subject,
    text: `${first}\n\n${second}\n\n${texts.product}\n`,
    html: wrapHtml(
      subject,
      `<h1 style="margin: 0 0 8px; font-size: 24px; line-height: 1.25">${escapeHtml(title)}</h1>` +
        `<p style="margin: 0 0 16px">${escapeHtml(first)}</p>` +
        `<p style="margin: 0; color: #4d5b69">${escapeHtml(second)}</p>`,
    ),
  };
}

/** The mail of a notification. Logs contain subjects, so this one does not quote the message. */
export function composeNotificationMail(
  to: string,
  type: NotificationType,
  { plain, formatted }: Message,
): Mail {
  const subject = titles[type];
  const { note } = texts.notification;
  const noteHtml = escapeHtml(note);
  return {
    to,
    subject,
    text: `${plain}\n\n${note}\n\n${texts.product}\n`,
    html: wrapHtml(
      subject,
      `<p style="margin: 0 0 16px">${formatted}</p><p style="margin: 0; color: #4d5b69">${noteHtml}</p>`,
    ),
  };
}

/** Builds the mail of a scheduled report. The subject names the report, so logs show `title` instead. */
export function composeReportMail(
  to: string,
  { name, period, figures, missing }: {
    readonly name: string;
    readonly period: string;
    readonly figures: readonly (readonly [name: string, value: string])[];
    /** Why the PDF is not attached; null when it is. */
    readonly missing: string | null;
  },
): Mail {
  const { title, reason, pdf } = texts.report;
  const note = missing === null ? `${reason} ${pdf}` : `${missing} ${reason}`;
  const subject = `${oneLine(name)}: ${period}`;
  const cell = (text: string, side: "left" | "right") => {
    const cellHtml = escapeHtml(text);
    return `<td style="padding: 4px 12px 4px 0; text-align: ${side}; border-bottom: 1px solid #d5dbe1">${cellHtml}</td>`;
  };
  const rows = figures.map(([label, value]) => `<tr>${cell(label, "left")}${cell(value, "right")}</tr>`).join(
    "",
  );
  const lines = figures.map(([label, value]) => `${label}: ${value}`).join("\n");
  return {
    to,
    subject,
    title,
    text: `${oneLine(name)}\n${period}\n\n${lines}\n\n${note}\n\n${texts.product}\n`,
    html: wrapHtml(
      subject,
      `<h1 style="margin: 0 0 8px; font-size: 24px; line-height: 1.25">${escapeHtml(oneLine(name))}</h1>` +
        `<p style="margin: 0 0 16px">${escapeHtml(period)}</p>` +
        `<table style="border-collapse: collapse; margin: 0 0 16px"><tbody>${rows}</tbody></table>` +
        `<p style="margin: 0; color: #4d5b69">${escapeHtml(note)}</p>`,
    ),
  };
}

const texts = {
  language: "en",
  product: "Wayline CRM",
  otherwise: "If the button does not work, open this address:",
  invitation: {
    subject: (company: string) => `${company} invites you to Wayline CRM`,
    title: (company: string) => `Join ${company}`,
    lead: (company: string) => `${company} invites you to work together in Wayline CRM.`,
    action: "Accept the invitation",
    note: "The link works once, within seven days. If you did not expect this invitation, ignore this mail.",
  },
  reset: {
    subject: "Choose a new password for Wayline CRM",
    title: "Forgot your password?",
    lead: "We received a request for a new password for this address.",
    action: "Choose a new password",
    note:
      "The link works once, within 24 hours. If you did not request it, ignore this mail: your password stays the same.",
  },
  address: {
    subject: "Your e-mail address for Wayline CRM was changed",
    title: "Your e-mail address was changed",
    lead: (email: string) =>
      `The e-mail address that you sign in to Wayline CRM with was changed to ${email}.`,
    note: {
      own: "If you did not do this, contact an administrator of your company at once.",
      other:
        "Another user of your company changed it, and you are signed out everywhere. Sign in with the new address; " +
        "your password stays the same. If you did not expect this, contact an administrator of your company.",
    },
  },
  report: {
    title: "A scheduled report",
    reason: "You receive this report because you are one of its recipients.",
    pdf: "Its PDF has the figures of each user.",
  },
  notification: {
    note: "You can choose in your notification preferences which mails you get.",
  },
} as const;

interface Content {
  readonly title: string;
  readonly lead: string;
  /** The text of the button. */
  readonly action: string;
  readonly link: string;
  readonly note: string;
}

function composeMail(to: string, subject: string, content: Content): Mail {
  const { lead, action, link, note } = content;
  return {
    to,
    subject,
    text: `${lead}\n\n${action}:\n${link}\n\n${note}\n\n${texts.product}\n`,
    html: wrapHtml(subject, composeAsking(content)),
  };
}

/** Each element has its own style, since mail programs drop style sheets. */
function wrapHtml(subject: string, inner: string): string {
  return `<!doctype html><html lang="${texts.language}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<title>${escapeHtml(subject)}</title></head>` +
    `<body style="margin: 0; padding: 24px 16px; background: #f1f4f8; color: #17202b; ${font}">` +
    '<main style="max-width: 480px; margin: 0 auto; overflow-wrap: anywhere">' +
    `<p style="margin: 0 0 16px; font-weight: 600">${escapeHtml(texts.product)}</p>` +
    '<div style="padding: 24px; background: #ffffff; border: 1px solid #d3dae2; border-radius: 12px">' +
    `${inner}</div></main></body></html>`;
}

/** The body of a mail with a link to a page. */
function composeAsking({ title, lead, action, link, note }: Content): string {
  const href = escapeHtml(link);
  return `<h1 style="margin: 0 0 8px; font-size: 24px; line-height: 1.25">${escapeHtml(title)}</h1>` +
    `<p style="margin: 0 0 24px">${escapeHtml(lead)}</p>` +
    `<p style="margin: 0 0 24px"><a href="${href}" style="${button}">${escapeHtml(action)}</a></p>` +
    `<p style="margin: 0 0 16px; color: #4d5b69">${escapeHtml(note)}</p>` +
    `<p style="margin: 0; color: #4d5b69; font-size: 14px">${escapeHtml(texts.otherwise)}<br>` +
    `<a href="${href}" style="color: #0b5cad">${href}</a></p>`;
}

const font = "font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";
const button = "display: inline-block; padding: 12px 20px; background: #0b5cad; color: #ffffff; " +
  "font-weight: 600; text-decoration: none; border-radius: 8px";

/**
 * Returns the link of a mail. Throws 503 without `PUBLIC_URL`, except on a local host: the caller chooses the
 * host of a request, and that host could collect the token of another person from the link.
 */
function makeLink({ deps, origin }: Call, path: string, token: string): string {
  if (deps.config.publicUrl === null && !isLocal(origin)) {
    deps.log.error({ event: "public_url_missing", error: "PUBLIC_URL must be set for links in mails" });
    throw new Problem(
      503,
      "unavailable",
      "The service cannot write links in mails: its operator must set PUBLIC_URL.",
    );
  }
  return `${origin}${path}?token=${token}`;
}

/** Removes line breaks from names, so that a name cannot start a header or a line of its own. */
function oneLine(name: string): string {
  return name.replaceAll(/\s+/g, " ").trim();
}
