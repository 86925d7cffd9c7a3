/** Mail over SMTP. */

import type { Transporter } from "nodemailer";
import type { Mailer } from "./mail.ts";

const TIMEOUT_MS = 10_000;
const MOST_CONNECTIONS = 5;

export interface SmtpMailer extends Mailer {
  /** Ends the connections that are kept open. */
  close(): void;
}

/**
 * A mailer to an `smtp:` or `smtps:` address, with user and password in it where needed. Connections are
 * kept open between mails where `pool` is set.
 */
export function smtpMailer({ url, from, pool }: { url: string; from: string; pool: boolean }): SmtpMailer {
  let transport: Promise<Transporter> | undefined;
  return {
    async send(mail) {
      transport ??= connect(url, pool);
      await (await transport).sendMail({ from, ...mail, to: { name: "", address: mail.to } });
    },
    close() {
      transport?.then((open) => open.close(), () => {});
      transport = undefined;
    },
  };
}

/** The library is loaded with the first mail: it takes as long to load as all the rest. */
async function connect(url: string, pool: boolean): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const address = new URL(url);
  const secure = address.protocol === "smtps:";
  return createTransport({
    pool,
    maxConnections: MOST_CONNECTIONS,
    host: address.hostname.replace(/^\[|\]$/g, ""),
    port: Number(address.port) || (secure ? 465 : 587),
    secure,
    auth: address.username === "" ? undefined : {
      user: decodeURIComponent(address.username),
      pass: decodeURIComponent(address.password),
    },
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
