/** Writes of three kinds, many at once, until the process that answers them is gone. */
import { named } from "../sales/leads_world.ts";

export interface Write {
  readonly kind: "account" | "contact" | "lead";
  readonly path: string;
  /** Below which the record is read. */
  readonly address: string;
  readonly body: object;
  readonly headers: Record<string, string>;
}

export interface Answered extends Write {
  readonly id: string;
  /** The answer's body. */
  readonly text: string;
}

export interface Load {
  readonly token: string;
  /** An account that is there. */
  readonly account: string;
  /** The body of a lead. */
  readonly lead: object;
  /** Numbers the writes. */
  next: number;
  readonly answered: Answered[];
  /** Sent, and not answered when the process died: done or not. */
  readonly cut: Write[];
  /** How many were cut off in all. */
  cuts: number;
}

/** How many writes are under way at once. */
const writers = 8;

/** Resolves when every writer has met the end of the process. */
export async function startLoad(load: Load, url: string): Promise<void> {
  await Promise.all(Array.from({ length: writers }, () => writeUntilGone(load, url)));
}

async function writeUntilGone(load: Load, url: string): Promise<void> {
  for (;;) {
    const write = nextWrite(load);
    const reply = await sent(load, url, write);
    if (reply === null) {
      load.cut.push(write);
      load.cuts++;
      return;
    }
    if (reply.status !== 201) throw new Error(`${write.path}: ${reply.status} ${reply.text}`);
    load.answered.push({ ...write, text: reply.text, id: JSON.parse(reply.text).id });
  }
}

function nextWrite(load: Load): Write {
  const number = load.next++;
  const headers = { "Idempotency-Key": `write-${number}` };
  const external_id = `x${number}`;
  const name = `Name ${number}`;
  if (number % 3 === 0) {
    const body = { external_id, fixed_fields: named({ name }) };
    return { kind: "account", path: "/v1/accounts", address: "/v1/accounts", body, headers };
  }
  if (number % 3 === 1) {
    const path = `/v1/accounts/${load.account}/contacts`;
    const body = { external_id, fixed_fields: named({ last_name: name }) };
    return { kind: "contact", path, address: "/v1/contacts", body, headers };
  }
  const body = { ...load.lead, lead_user: name };
  return { kind: "lead", path: "/v1/leads", address: "/v1/leads", body, headers };
}

/** The whole answer; null when there was none, or half of one. */
async function sent(load: Load, url: string, { path, body, headers }: Write) {
  try {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { ...headers, Authorization: `Bearer ${load.token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return null;
  }
}
