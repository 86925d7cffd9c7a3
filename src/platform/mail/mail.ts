/** The mail port. */

import type { Log } from "../log.ts";

export interface Mail {
  /** One address, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

export interface Mailer {
  /** Resolves when the mail server has taken the mail over; throws when it did not. */
  send(mail: Mail): Promise<void>;
}

/**
 * A mailer for where no mail server is set: the log tells to whom and about what, never the body, which can
 * carry links that sign somebody in. `keep` gets the whole mail.
 */
export function logMailer(log: Log, keep?: (mail: Mail) => Promise<void> | void): Mailer {
  return {
    async send(mail) {
      await keep?.(mail);
      log.info({ event: "mail_without_server", to: mail.to, subject: mail.subject });
    },
  };
}

export interface MemoryMailer extends Mailer {
  readonly sent: Mail[];
}

export function memoryMailer(): MemoryMailer {
  const sent: Mail[] = [];
  return {
    sent,
    send(mail) {
      sent.push(mail);
      return Promise.resolve();
    },
  };
}
