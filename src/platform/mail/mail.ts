/** The mail port. */

export interface Mail {
  /** One address, without a name. */
  readonly to: string;
  /** Kept and logged as it is, unless `title` is given: then never a secret, nor what somebody has written. */
  readonly subject: string;
  /** Kept and logged in place of the subject. */
  readonly title?: string;
  readonly text: string;
  readonly html?: string;
  /** The person who wrote it, to whom answers go; none: the service itself. */
  readonly author?: { readonly name: string; readonly address: string };
}

/** A mail as it goes out. */
export interface Letter extends Mail {
  /** The same at every attempt, so that whoever gets it twice can tell; letters, digits and hyphens. */
  readonly id: string;
  /** When it was written, epoch milliseconds. */
  readonly at: number;
}

export interface Mailer {
  /**
   * Resolves to `sent` when the mail server has taken the mail over, within 30 seconds; to `kept` where there
   * is none, and the database keeps it. Throws `MailFailed` when the server did not take it.
   */
  send(letter: Letter): Promise<"sent" | "kept">;
}

/**
 * Whose fault it was: `refused` is the server's last word on this mail, `deferred` is this mail too but may
 * change, `server` is not about this mail: it was not there, or did not let us in.
 */
export type Failure = "refused" | "deferred" | "server";

export class MailFailed extends Error {
  constructor(message: string, readonly failure: Failure, options?: ErrorOptions) {
    super(message, options);
  }
}

/** A mailer for where no mail server is set. */
export const noMailer: Mailer = { send: () => Promise.resolve("kept") };

export interface MemoryMailer extends Mailer {
  readonly sent: Letter[];
}

export function memoryMailer(): MemoryMailer {
  const sent: Letter[] = [];
  return {
    sent,
    send(letter) {
      sent.push(letter);
      return Promise.resolve("sent");
    },
  };
}
