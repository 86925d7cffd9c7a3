/** Sends mail over SMTP. */

import type { SendMailOptions, Transporter } from "nodemailer";
import { type Letter, type Mailer, MailFailed, type MailFailure } from "./mail.ts";
import { composeMessage, type Dkim } from "./smtp_message.ts";

/** Milliseconds within which the server accepts a connection and greets, and for which an idle one is kept. */
const timeoutMs = 10_000;
/** Milliseconds within which the server has all of a mail. */
const maxMs = 30_000;
/**
 * Milliseconds of silence after the end of a mail (RFC 5321, section 4.5.3.2.6). The server may have accepted the mail,
 * so that giving up earlier means sending it twice.
 */
const answerMs = 600_000;
/** Most connections for bulk mail, as many for what users write, and as many for other mail. */
const maxConnections = 5;

export interface SmtpMailer extends Mailer {
  /** Ends the mails that the server does not have whole, which fail. The others wait for its answer. */
  giveUp(): void;
  /** Closes the connections. Mails being sent fail, although the server may have accepted them. */
  close(): void;
}

export interface SmtpOptions {
  readonly url: string;
  /** An address, or `Name <address>`. */
  readonly from: string;
  readonly pool: boolean;
  readonly dkim?: Dkim | null;
}

/** A message and what the composer calls when it has passed on all of it, before the server can have its end. */
type Outgoing = SendMailOptions & { readonly noteWhole: () => void };

/**
 * Returns a mailer for an `smtp:` or `smtps:` URL, optionally with user and password. `pool` keeps
 * connections open between mails.
 */
export function smtpMailer({ url, from, pool, dkim = null }: SmtpOptions): SmtpMailer {
  /** Of the mails that the server does not have whole. */
  const partial = new Set<AbortController>();
  let isEnding = false;
  const transports = new Map<"bulk" | "written" | "prompt", Promise<Transporter>>();
  const getTransport = ({ isBulk, isWritten }: Letter): Promise<Transporter> => {
    const kind = isBulk ? "bulk" : isWritten ? "written" : "prompt";
    const transport = transports.get(kind) ?? connect(url, pool);
    transports.set(kind, transport);
    return transport;
  };
  return {
    async send(letter) {
      const open = await getTransport(letter);
      const ending = new AbortController();
      const late = setTimeout(() => ending.abort(tooLate()), maxMs);
      const noteWhole = () => {
        clearTimeout(late);
        partial.delete(ending);
      };
      partial.add(ending);
      if (isEnding) ending.abort(tooLate());
      try {
        const outgoing: Outgoing = {
          ...composeMessage(letter, from, dkim),
          signal: ending.signal,
          noteWhole,
        };
        await open.sendMail(outgoing);
      } catch (cause) {
        const given = ending.signal.aborted ? ending.signal.reason : cause;
        const error = given instanceof Error ? given : new Error(String(given));
        throw new MailFailed(error.message, classifyFailure(error), {
          cause,
          isForRecipient: isForRecipient(error),
        });
      } finally {
        noteWhole();
      }
      return "sent";
    },
    giveUp() {
      isEnding = true;
      for (const ending of partial) ending.abort(tooLate());
    },
    close() {
      for (const transport of transports.values()) {
        transport.then((open) => open.close({ force: true }), () => {});
      }
      transports.clear();
    },
  };
}

const tooLate = () => new Error("the mail server took too long");

interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/**
 * A wrong password or sender is a fault of the settings, so it counts as the server's refusal, not the
 * mail's.
 */
function classifyFailure({ code, command, responseCode }: SmtpError): MailFailure {
  if (command === "API" && code === "EENVELOPE") return "refused";
  if (responseCode === undefined || (command !== "RCPT TO" && command !== "DATA")) return "server";
  return responseCode >= 500 ? "refused" : "deferred";
}

/** Loads the library with the first mail, because it takes as long to load as everything else. */
async function connect(url: string, pool: boolean): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const address = new URL(url);
  const secure = address.protocol === "smtps:";
  const transport = createTransport({
    pool,
    maxConnections,
    // The server may have closed an idle connection: tries once more with a new one.
    maxRequeues: 1,
    host: address.hostname.replace(/^\[|\]$/g, ""),
    port: Number(address.port) || (secure ? 465 : 587),
    secure,
    auth: address.username === "" ? undefined : {
      user: decodeURIComponent(address.username),
      pass: decodeURIComponent(address.password),
    },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    // The time until the server has all of a mail is limited for each mail.
    socketTimeout: answerMs,
    idleTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use("stream", ({ data, message }, done) => {
    // Not a transform of the composer: the signing reads all of a mail from those before the connection is there.
    const create = message.createReadStream.bind(message);
    message.createReadStream = (options) => create(options).once("end", (data as Outgoing).noteWhole);
    done();
  });
  return transport;
}

/**
 * Whether the address is refused for good. A refusal by policy (5.7, RFC 3463), such as that of a relay which
 * does not know its client, is about the sender.
 */
function isForRecipient({ command, responseCode, response }: SmtpError): boolean {
  return command === "RCPT TO" && responseCode !== undefined && responseCode >= 500 &&
    !/^\d{3}[ -]5\.7\./.test(response ?? "");
}
