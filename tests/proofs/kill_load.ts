/** Sends writes of every kind simultaneously until the process dies. */
import type { ExpectedEvent } from "./kill_expected.ts";
import type { Write, Writer } from "./kill_stories.ts";

export interface Answered extends Write {
  /** The answer's body. */
  readonly text: string;
}

export interface Load {
  /** The token of an admin. */
  readonly token: string;
  /** A member of the team that receives the leads, notes' mentions and messages. */
  readonly reader: { readonly id: number; readonly token: string };
  readonly writers: readonly Writer[];
  readonly answered: Answered[];
  /** Events whose bodies were compared with answers. */
  readonly compared: Set<ExpectedEvent>;
  /** Counts the writes without an answer when the process died. */
  cuts: number;
}

/**
 * Calls `enough` once after this many answers. Resolves when every writer has noticed the end of the process.
 */
export async function startLoad(load: Load, url: string, most: number, enough: () => void): Promise<void> {
  const until = load.answered.length + most;
  let reached = false;
  const look = () => {
    if (reached || load.answered.length < until) return;
    reached = true;
    enough();
  };
  await Promise.all(load.writers.map((writer) => writeUntilGone(load, writer, url, look)));
}

async function writeUntilGone(load: Load, writer: Writer, url: string, look: () => void): Promise<void> {
  while (await writeNext(load, writer, url)) look();
  load.cuts++;
}

/** Sends the interrupted writes again. Throws if one gets no answer. */
export async function sendCut(load: Load, url: string): Promise<void> {
  for (const writer of load.writers) {
    if (!writer.pending) continue;
    if (!await writeNext(load, writer, url)) throw new Error(`${writer.pending.path}: no answer`);
  }
}

/** Sends the writer's next or interrupted write. Returns whether it was answered. */
async function writeNext(load: Load, writer: Writer, url: string): Promise<boolean> {
  const write = writer.pending ??= writer.next();
  const reply = await sendComplete(load, url, write);
  if (reply === null) return false;
  const { status, text } = reply;
  if (status !== write.status) throw new Error(`${write.method} ${write.path}: ${status} ${text}`);
  load.answered.push({ ...write, text });
  writer.answered(text);
  return true;
}

/** Returns the complete answer, or null. */
export async function sendComplete(
  load: Load,
  url: string,
  { reads, method, path, body, key }: Write,
): Promise<{ status: number; text: string; replayed: boolean } | null> {
  const token = reads ? load.reader.token : load.token;
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        "Idempotency-Key": key,
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const replayed = response.headers.has("Idempotent-Replayed");
    return { status: response.status, text: await response.text(), replayed };
  } catch {
    return null;
  }
}
