/** Sends mail over SMTP. */

import type { SendMailOptions, Transporter } from "nodemailer";
import { FairQueue } from "../fair_queue.ts";
import { type Letter, type Mailer, MailFailed, type MailFailure } from "./mail.ts";
import { composeMessage, type Dkim } from "./smtp_message.ts";

/** Milliseconds within which the server accepts a connection and greets, and for which an idle one is kept. */
const timeoutMs = 10_000;

/** Milliseconds. */
interface Deadlines {
  /** Within which the server has all of a mail. */
  readonly whole: number;
  /**
   * For the answer to a mail that the server has (RFC 5321, section 4.5.3.2.6). It may have accepted the mail, so that
   * giving up earlier means sending it twice.
   */
  readonly answer: number;
  /** After which a mail whose answer is awaited makes room for another. */
  readonly place: number;
}

const usualDeadlines: Deadlines = { whole: 30_000, answer: 600_000, place: 10_000 };
/** Most connections for bulk mail, as many for what users write, and as many for other mail. */
const maxConnections = 5;
/** Most connections of each kind with those on which an answer is awaited for long. */
const maxWithSilent = 20;

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
  readonly deadlines?: Deadlines;
}

type Kind = "bulk" | "written" | "prompt";

/** A message and what the composer calls when it has passed on all of it, before the server can have its end. */
type Outgoing = SendMailOptions & { readonly noteWhole: () => void };

/**
 * Returns a mailer for an `smtp:` or `smtps:` URL, optionally with user and password. `pool` keeps
 * connections open between mails.
 */
export function makeSmtpMailer(
  { url, from, pool, dkim = null, deadlines = usualDeadlines }: SmtpOptions,
): SmtpMailer {
  /** Of the mails that the server does not have whole. */
  const partial = new Set<AbortController>();
  let isEnding = false;
  const transports = new Map<Kind, Promise<Transporter>>();
  const places = new FairQueue({ atOnce: Infinity, perOrigin: maxConnections, waiting: Infinity });
  const getTransport = (kind: Kind): Promise<Transporter> => {
    const transport = transports.get(kind) ?? connect(url, pool);
    transports.set(kind, transport);
    return transport;
  };

  /** Sends in a place of its kind, which is free again when the answer takes long. */
  async function sendInPlace(letter: Letter, ending: AbortController): Promise<void> {
    const kind = letter.isBulk ? "bulk" : letter.isWritten ? "written" : "prompt";
    const { promise: isSlow, resolve: leave } = Promise.withResolvers<void>();
    let leaving: ReturnType<typeof setTimeout> | undefined;
    let late = setTimeout(() => ending.abort(tooLate()), deadlines.whole);
    const noteWhole = () => {
      // A server may refuse a mail that it does not have whole.
      if (!partial.delete(ending)) return;
      clearTimeout(late);
      late = setTimeout(() => ending.abort(tooLate()), deadlines.answer);
      leaving = setTimeout(leave, deadlines.place);
    };
    partial.add(ending);
    if (isEnding) ending.abort(tooLate());
    try {
      const open = await getTransport(kind);
      const { sent } = await places.run(kind, async () => {
        const outgoing: Outgoing = {
          ...composeMessage(letter, from, dkim),
          signal: ending.signal,
          noteWhole,
        };
        const sent = open.sendMail(outgoing);
        await Promise.race([sent, isSlow]);
        return { sent };
      }, deadlines.whole);
      await sent;
    } finally {
      partial.delete(ending);
      clearTimeout(late);
      clearTimeout(leaving);
    }
  }

  return {
    async send(letter) {
      const ending = new AbortController();
      try {
        await sendInPlace(letter, ending);
      } catch (cause) {
        // Those of a mail that has waited for its place in vain.
        for (const { body } of letter.attachments ?? []) if (!body.locked) void body.cancel().catch(() => {});
        const given = ending.signal.aborted ? ending.signal.reason : cause;
        const error = given instanceof Error ? given : new Error(String(given));
        throw new MailFailed(error.message, classifyFailure(error), {
          cause,
          isForRecipient: isForRecipient(error),
        });
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
    maxConnections: maxWithSilent,
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
    socketTimeout: usualDeadlines.answer,
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
