/** Every mail to people, with its texts in one place, for more languages to stand beside. */
import { Problem } from "../core/errors.ts";
import { escaped } from "../core/html.ts";
import { type Message, type NotificationType, titles } from "../core/notifications.ts";
import type { Deps } from "../deps.ts";
import { isLocal } from "../http/headers.ts";
import type { Mail } from "../platform/mail/mail.ts";

/** Pages that links in mails lead to. */
export const invitationPath = "/auth/invitation";
export const resetPath = "/auth/reset-password";

/** The call that a mail is written for. */
interface Call {
  readonly deps: Pick<Deps, "config" | "log">;
  readonly origin: string;
}

/** To somebody whom the company invites. Throws 503 where the link cannot be written. */
export function invitationMail(call: Call, to: string, company: string, token: string): Mail {
  const name = oneLine(company);
  return mail(to, texts.invitation.subject(name), {
    ...texts.invitation,
    title: texts.invitation.title(name),
    lead: texts.invitation.lead(name),
    link: linkOf(call, invitationPath, token),
  });
}

/** To somebody who forgot their password. Throws 503 where the link cannot be written. */
export function resetMail(call: Call, to: string, token: string): Mail {
  return mail(to, texts.reset.subject, { ...texts.reset, link: linkOf(call, resetPath, token) });
}

/** To the address by which a user signed in before: changed by the user (`own`), or by somebody else. */
export function addressChangedMail(to: string, email: string, own: boolean): Mail {
  const { subject, title, lead, note } = texts.address;
  const [first, second] = [lead(email), own ? note.own : note.other];
  return {
    to,
    subject,
    text: `${first}\n\n${second}\n\n${texts.product}\n`,
    html: htmlOf(
      subject,
      `<h1 style="margin: 0 0 8px; font-size: 24px; line-height: 1.25">${escaped(title)}</h1>` +
        `<p style="margin: 0 0 16px">${escaped(first)}</p>` +
        `<p style="margin: 0; color: #4d5b69">${escaped(second)}</p>`,
    ),
  };
}

/** To somebody whom a notification reached. Subjects are logged, so they say nothing of what was written. */
export function notificationMail(to: string, type: NotificationType, { plain, formatted }: Message): Mail {
  const subject = titles[type];
  const { note } = texts.notification;
  return {
    to,
    subject,
    text: `${plain}\n\n${note}\n\n${texts.product}\n`,
    html: htmlOf(
      subject,
      `<p style="margin: 0 0 16px">${formatted}</p><p style="margin: 0; color: #4d5b69">${escaped(note)}</p>`,
    ),
  };
}

const texts = {
  language: "en",
  product: "Wayline CRM",
  otherwise: "If the button does nothing, open this address:",
  invitation: {
    subject: (company: string) => `${company} invites you to Wayline CRM`,
    title: (company: string) => `Join ${company}`,
    lead: (company: string) => `${company} invites you to work together in Wayline CRM.`,
    action: "Accept the invitation",
    note: "The link serves once, within seven days. If you expect no invitation, do nothing.",
  },
  reset: {
    subject: "Choose a new password for Wayline CRM",
    title: "Forgot your password?",
    lead: "Somebody, you we hope, asked for a new password for this address.",
    action: "Choose a new password",
    note: "The link serves once, within 24 hours. If it was not you, do nothing: your password stays.",
  },
  address: {
    subject: "Your e-mail address for Wayline CRM was changed",
    title: "You sign in by another address now",
    lead: (email: string) =>
      `The e-mail address by which you sign in to Wayline CRM was changed to ${email}.`,
    note: {
      own: "If it was not you, ask an administrator of your company at once.",
      other:
        "Somebody of your company changed it, and you are signed out everywhere. Sign in by the new address; " +
        "your password stays. If you did not expect this, ask an administrator of your company.",
    },
  },
  notification: {
    note: "You choose in your notification preferences what you are told by mail.",
  },
} as const;

interface Content {
  readonly title: string;
  readonly lead: string;
  /** What following the link does. */
  readonly action: string;
  readonly link: string;
  readonly note: string;
}

function mail(to: string, subject: string, content: Content): Mail {
  const { lead, action, link, note } = content;
  return {
    to,
    subject,
    text: `${lead}\n\n${action}:\n${link}\n\n${note}\n\n${texts.product}\n`,
    html: htmlOf(subject, askingOf(content)),
  };
}

/** Styles stand at each element, since mail programs drop style sheets. */
function htmlOf(subject: string, inner: string): string {
  return `<!doctype html><html lang="${texts.language}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<title>${escaped(subject)}</title></head>` +
    `<body style="margin: 0; padding: 24px 16px; background: #f1f4f8; color: #17202b; ${font}">` +
    '<main style="max-width: 480px; margin: 0 auto; overflow-wrap: anywhere">' +
    `<p style="margin: 0 0 16px; font-weight: 600">${escaped(texts.product)}</p>` +
    '<div style="padding: 24px; background: #ffffff; border: 1px solid #d3dae2; border-radius: 12px">' +
    `${inner}</div></main></body></html>`;
}

/** What leads to a page. */
function askingOf({ title, lead, action, link, note }: Content): string {
  const href = escaped(link);
  return `<h1 style="margin: 0 0 8px; font-size: 24px; line-height: 1.25">${escaped(title)}</h1>` +
    `<p style="margin: 0 0 24px">${escaped(lead)}</p>` +
    `<p style="margin: 0 0 24px"><a href="${href}" style="${button}">${escaped(action)}</a></p>` +
    `<p style="margin: 0 0 16px; color: #4d5b69">${escaped(note)}</p>` +
    `<p style="margin: 0; color: #4d5b69; font-size: 14px">${escaped(texts.otherwise)}<br>` +
    `<a href="${href}" style="color: #0b5cad">${href}</a></p>`;
}

const font = "font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";
const button = "display: inline-block; padding: 12px 20px; background: #0b5cad; color: #ffffff; " +
  "font-weight: 600; text-decoration: none; border-radius: 8px";

/**
 * The host of a call is what its sender says. In a mail to somebody else it would lead them, and the token, to
 * the sender's own: without a configured origin only this machine's is taken.
 */
function linkOf({ deps, origin }: Call, path: string, token: string): string {
  if (deps.config.publicUrl === null && !isLocal(origin)) {
    deps.log.error({ event: "public_url_missing", error: "PUBLIC_URL must be set for links in mails" });
    throw new Problem(
      503,
      "unavailable",
      "The service cannot write links in mails: whoever runs it has to set PUBLIC_URL.",
    );
  }
  return `${origin}${path}?token=${token}`;
}

/** Names that people gave hold no line breaks here, so that none can begin a header or a line of its own. */
function oneLine(name: string): string {
  return name.replaceAll(/\s+/g, " ").trim();
}
