/** Writes of several kinds, many at once, until the process that answers them is gone. */
import { named } from "../sales/leads_world.ts";

/** Records that are told of. */
export type Kind = "account" | "contact" | "lead" | "note";

export interface Write {
  /** Of the record that it makes; `message`: to users; `read`: of all that a user was told. */
  readonly kind: Kind | "message" | "read";
  readonly method: "POST" | "PUT";
  readonly path: string;
  /** Below which the record is read; null: it makes none. */
  readonly address: string | null;
  readonly body: object;
  readonly headers: Record<string, string>;
  /** Of its answer. */
  readonly status: number;
}

export interface Answered extends Write {
  /** Of the record; empty without one. */
  readonly id: string;
  /** The answer's body. */
  readonly text: string;
}

export interface Load {
  /** Of an admin. */
  readonly token: string;
  /** A member of the team that leads are for, whom notes mention and messages reach. */
  readonly reader: { readonly id: number; readonly token: string };
  /** An account and a case that are there. */
  readonly account: string;
  readonly case: string;
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

/** Calls `enough` once when so many have been answered; resolves when every writer has met the end of the process. */
export async function startLoad(load: Load, url: string, most: number, enough: () => void): Promise<void> {
  const until = load.answered.length + most;
  let told = false;
  const look = () => {
    if (told || load.answered.length < until) return;
    told = true;
    enough();
  };
  await Promise.all(Array.from({ length: writers }, () => writeUntilGone(load, url, look)));
}

async function writeUntilGone(load: Load, url: string, look: () => void): Promise<void> {
  for (;;) {
    const write = nextWrite(load);
    const reply = await sent(load, url, write);
    if (reply === null) {
      load.cut.push(write);
      load.cuts++;
      return;
    }
    take(load, write, reply);
    look();
  }
}

/** Sends what was cut off again; it is answered, and once. */
export async function sendCut(load: Load, url: string): Promise<void> {
  for (const write of load.cut.splice(0)) {
    const reply = await sent(load, url, write);
    if (reply === null) throw new Error(`${write.path}: no answer`);
    take(load, write, reply);
  }
}

function take(load: Load, write: Write, { status, text }: { status: number; text: string }): void {
  if (status !== write.status) throw new Error(`${write.path}: ${status} ${text}`);
  const id = write.address === null ? "" : String(JSON.parse(text).id);
  load.answered.push({ ...write, text, id });
}

function nextWrite(load: Load): Write {
  const number = load.next++;
  const post = {
    method: "POST" as const,
    headers: { "Idempotency-Key": `write-${number}` },
    status: 201,
  };
  const external_id = `x${number}`;
  const name = `Name ${number}`;
  const notify = { users: [load.reader.id] };
  switch (number % 8) {
    case 0:
    case 4: {
      const body = { external_id, fixed_fields: named({ name }) };
      return { ...post, kind: "account", path: "/v1/accounts", address: "/v1/accounts", body };
    }
    case 1:
    case 5: {
      const path = `/v1/accounts/${load.account}/contacts`;
      const body = { external_id, fixed_fields: named({ last_name: name }) };
      return { ...post, kind: "contact", path, address: "/v1/contacts", body };
    }
    case 2: {
      const body = { ...load.lead, lead_user: name };
      return { ...post, kind: "lead", path: "/v1/leads", address: "/v1/leads", body };
    }
    case 3: {
      const body = { note: name, case_id: load.case, notify };
      return { ...post, kind: "note", path: "/v1/notes", address: "/v1/notes", body };
    }
    case 6: {
      const body = { message: name, notify };
      return { ...post, kind: "message", path: "/v1/notifications", address: null, body, status: 202 };
    }
    default: {
      const read = { kind: "read", method: "PUT", path: "/v1/notifications/read", address: null } as const;
      return { ...post, ...read, body: {}, status: 204 };
    }
  }
}

/** The whole answer; null when there was none, or half of one. */
async function sent(load: Load, url: string, { kind, method, path, body, headers }: Write) {
  const token = kind === "read" ? load.reader.token : load.token;
  try {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return null;
  }
}
