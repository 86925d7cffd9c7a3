/** A mail server on loopback that keeps the mails that it receives. */
import { Buffer } from "node:buffer";
import type { AddressInfo, Socket } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  readonly from: string;
  readonly to: string[];
  /** Headers and body as they came. */
  readonly data: string;
  /** The mail as a mail program parses it. */
  readonly read: Email;
}

export interface Smtp extends AsyncDisposable {
  /** `smtp://…`, with user and password if the server requires them. */
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** Waits at most ten seconds for the first mail, past or to come, and returns it. */
  first(): Promise<ReceivedMail>;
  /** Connections that were opened. */
  connections(): number;
  /** Most simultaneous mails. */
  mostAtOnce(): number;
  /** While true, the server closes each connection before it sends anything. */
  dead: boolean;
  /** Closes all connections. */
  cut(): void;
  /** Sends a text on all connections. */
  say(text: string): void;
  /**
   * Called for a recipient, or for a mail that the server has read. A `Refusal` that it throws is sent as it
   * is.
   */
  onRecipient: (address: string) => void | Promise<void>;
  onMail: (mail: ReceivedMail) => void | Promise<void>;
}

export class Refusal extends Error {
  constructor(readonly responseCode: number, message: string) {
    super(message);
  }
}

/** Starts the server. With `login`, a client must sign in. */
export async function startSmtp(
  { login }: { login?: { user: string; password: string } } = {},
): Promise<Smtp> {
  const sockets = new Set<Socket>();
  const first = Promise.withResolvers<ReceivedMail>();
  let connections = 0;
  let busy = 0;
  let most = 0;
  const server = new SMTPServer({
    authOptional: login === undefined,
    allowInsecureAuth: true,
    authMethods: ["PLAIN"],
    disabledCommands: login ? ["STARTTLS"] : ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    closeTimeout: 1,
    onAuth({ username, password }, _session, answer) {
      const right = username === login?.user && password === login?.password;
      answer(right ? null : new Refusal(535, "wrong"), right ? { user: "in" } : undefined);
    },
    onRcptTo({ address }, _session, answer) {
      settle(() => smtp.onRecipient(address), answer);
    },
    async onData(stream, { envelope }, answer) {
      most = Math.max(most, ++busy);
      const chunks: Uint8Array[] = [];
      try {
        for await (const chunk of stream) chunks.push(chunk);
      } catch {
        // The sender broke off in the middle of the mail.
        return void busy--;
      }
      const data = Buffer.concat(chunks);
      const mail = {
        from: envelope.mailFrom ? envelope.mailFrom.address : "",
        to: envelope.rcptTo.map(({ address }) => address),
        data: data.toString("utf8"),
        read: await PostalMime.parse(data),
      };
      settle(async () => {
        try {
          await smtp.onMail(mail);
          smtp.mails.push(mail);
          first.resolve(mail);
        } finally {
          busy--;
        }
      }, answer);
    },
  });
  server.on("error", () => {});
  server.server.prependListener("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    if (smtp.dead) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  const user = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@` : "";
  const smtp: Smtp = {
    url: `smtp://${user}127.0.0.1:${port}`,
    mails: [],
    async first() {
      const late = setTimeout(() => first.reject(new Error("no mail came within a minute")), 60_000);
      return await first.promise.finally(() => clearTimeout(late));
    },
    connections: () => connections,
    mostAtOnce: () => most,
    dead: false,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    say(text) {
      for (const socket of sockets) socket.write(text);
    },
    onRecipient: () => {},
    onMail: () => {},
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return smtp;
}

function settle(say: () => void | Promise<void>, answer: (error?: Error | null) => void): void {
  Promise.resolve().then(say).then(() => answer(), (error) => answer(error));
}
