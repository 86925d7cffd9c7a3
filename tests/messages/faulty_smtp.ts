/** A mail server on loopback that refuses, stalls and breaks connections at random, and remembers what it took. */
import type { AddressInfo, Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import { Refusal } from "../support/smtp.ts";

export interface Received {
  readonly to: string;
  readonly messageId: string;
}

export interface FaultySmtp extends AsyncDisposable {
  readonly url: string;
  /** Mails that it has accepted, in order. */
  readonly taken: Received[];
  /** Mails whose text has arrived and that it has not answered yet. */
  readonly inHands: Set<string>;
  /** Waits until it has taken so many mails. */
  reached(mails: number): Promise<void>;
}

/** Recipients that it refuses for good. */
export function isUnknown(address: string): boolean {
  return address.startsWith("unknown");
}

/** Starts the server. `faults` scales how often it fails; 1 is the rate of `campaign_kill.test.ts`. */
export async function startFaultySmtp(faults = 1): Promise<FaultySmtp> {
  const sockets = new Set<Socket>();
  const taken: Received[] = [];
  const inHands = new Set<string>();
  const waiting: { readonly mails: number; readonly resolve: () => void }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    closeTimeout: 1,
    onRcptTo({ address }, _session, answer) {
      if (isUnknown(address)) answer(new Refusal(550, "unknown"));
      else answer(Math.random() < 0.05 * faults ? new Refusal(451, "later") : null);
    },
    async onData(stream, session, answer) {
      const chunks: string[] = [];
      const decoder = new TextDecoder();
      try {
        for await (const chunk of stream) chunks.push(decoder.decode(chunk, { stream: true }));
      } catch {
        return;
      }
      const [, messageId] = /^message-id: (\S+)/im.exec(chunks.join(""))!;
      // Accepts the notification of the campaign's user.
      if (!messageId!.startsWith("<campaign-")) return answer();
      const to = session.envelope.rcptTo[0]!.address;
      inHands.add(to);
      if (Math.random() < 0.05 * faults) await new Promise((resolve) => setTimeout(resolve, 100));
      inHands.delete(to);
      const fault = Math.random();
      if (fault < 0.03 * faults) {
        for (const socket of sockets) if (socket.remotePort === session.remotePort) socket.destroy();
      } else if (fault < 0.06 * faults) answer(new Refusal(452, "full"));
      else {
        taken.push({ to, messageId: messageId! });
        answer();
        for (const { mails, resolve } of waiting) if (taken.length >= mails) resolve();
      }
    },
  });
  server.on("error", () => {});
  server.server.prependListener("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    taken,
    inHands,
    reached: (mails) =>
      new Promise((resolve) => {
        if (taken.length >= mails) resolve();
        else waiting.push({ mails, resolve });
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
