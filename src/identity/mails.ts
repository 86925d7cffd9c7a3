/** Every mail to people, with its texts in one place, for more languages to stand beside. */
import type { Mail } from "../platform/mail/mail.ts";

/** Pages that links in mails lead to. */
export const invitationPath = "/auth/invitation";
export const resetPath = "/auth/reset-password";

/** To somebody whom the company invites; `origin` is that of the pages. */
export function invitationMail(origin: string, to: string, company: string, token: string): Mail {
  const name = oneLine(company);
  return mail(to, texts.invitation.subject(name), {
    ...texts.invitation,
    lead: texts.invitation.lead(name),
    link: linkOf(origin, invitationPath, token),
  });
}

/** To somebody who forgot their password. */
export function resetMail(origin: string, to: string, token: string): Mail {
  return mail(to, texts.reset.subject, { ...texts.reset, link: linkOf(origin, resetPath, token) });
}

const texts = {
  language: "en",
  product: "Wayline CRM",
  invitation: {
    subject: (company: string) => `${company} invites you to Wayline CRM`,
    lead: (company: string) => `${company} invites you to work together in Wayline CRM.`,
    action: "Accept the invitation",
    note: "The link serves once, within seven days. If you expect no invitation, do nothing.",
  },
  reset: {
    subject: "Choose a new password for Wayline CRM",
    lead: "Somebody, you we hope, asked for a new password for this address.",
    action: "Choose a new password",
    note: "The link serves once, within 24 hours. If it was not you, do nothing: your password stays.",
  },
} as const;

interface Content {
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
    html: `<!doctype html><html lang="${texts.language}"><head><meta charset="utf-8">` +
      `<title>${escaped(subject)}</title></head><body style="font-family: sans-serif; line-height: 1.5">` +
      `<p>${escaped(lead)}</p><p><a href="${escaped(link)}">${escaped(action)}</a></p>` +
      `<p>${escaped(note)}</p><p>${escaped(texts.product)}</p></body></html>`,
  };
}

function linkOf(origin: string, path: string, token: string): string {
  return `${origin}${path}?token=${token}`;
}

/** Names that people gave hold no line breaks here, so that none can begin a header or a line of its own. */
function oneLine(name: string): string {
  return name.replaceAll(/\s+/g, " ").trim();
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
