/** The mail port. */

export interface Mail {
  /** One address, without a name. */
  readonly to: string;
  /**
   * Stored and logged unless `title` is given; so without `title` it must not contain secrets or user input.
   */
  readonly subject: string;
  /** Stored and logged instead of the subject. */
  readonly title?: string;
  readonly text: string;
  readonly html?: string;
  /** The author, who receives replies; absent for mails of the service. */
  readonly author?: MailAddress;
  /** The sender to show; `MAIL_FROM` by default. Without an address, that of `MAIL_FROM` is used. */
  readonly from?: { readonly name: string; readonly address?: string };
  /** The address that receives reports of failed delivery; the sender's by default. */
  readonly envelopeFrom?: string;
  /** More headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Stored objects to attach, read when the mail is sent. One that is deleted before is left out. */
  readonly attachments?: readonly MailAttachment[];
}

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

export interface MailAttachment {
  readonly name: string;
  /** The media type. */
  readonly type: string;
  /** The key of the stored object. */
  readonly key: string;
}

/** An attachment whose bytes are being read. */
export interface OpenAttachment {
  readonly name: string;
  readonly type: string;
  readonly body: ReadableStream<Uint8Array>;
}

/** A mail ready to send. */
export interface Letter extends Omit<Mail, "attachments"> {
  readonly attachments?: readonly OpenAttachment[];
  /** The same at every attempt, so that receivers can detect duplicates; letters, digits and hyphens. */
  readonly id: string;
  /** Creation in epoch milliseconds. */
  readonly at: number;
  /** Whether nobody waits for the mail. Bulk mail has its own connections, so no other mail waits for it. */
  readonly isBulk?: boolean;
  /** Whether users wrote it, or notify others by it. Such mail has its own connections, too. */
  readonly isWritten?: boolean;
}

export interface Mailer {
  /**
   * Resolves to `sent` when the mail server has accepted the mail; to `kept` without a mail server, when the database
   * keeps it. Throws `MailFailed` when the server did not accept it. The server has the mail within 30 seconds, and
   * may take ten minutes for its answer.
   */
  send(letter: Letter): Promise<"sent" | "kept">;
}

/**
 * The kind of failure: `refused` rejects this mail permanently, `deferred` rejects it for now, `server` is
 * not about this mail: no connection or no login.
 */
export type MailFailure = "refused" | "deferred" | "server";

export class MailFailed extends Error {
  /** Whether the server refused the recipient's address permanently, and not the sender or the text. */
  readonly isForRecipient: boolean;

  constructor(
    message: string,
    readonly failure: MailFailure,
    { isForRecipient = false, ...options }: ErrorOptions & { readonly isForRecipient?: boolean } = {},
  ) {
    super(message, options);
    this.isForRecipient = isForRecipient;
  }
}

/** A mailer for use without a mail server. */
export const noMailer: Mailer = { send: () => Promise.resolve("kept") };
