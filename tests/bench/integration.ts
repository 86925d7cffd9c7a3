/**
 * `deno task bench --integration [--rows N] [--contacts N] [--events N] [--delay MS] [--only TEXT]`: imports of N rows
 * with 20 columns into a company of so many contacts, whose contacts belong to known accounts, then to accounts of
 * their own; the event feed in pages of 500 behind so many events of before, read by an admin and by a member of one of
 * fifty teams, at most 500,000 events each; the time until an event is on 200 streams; and a batch of 50 reads beside 50
 * calls, one after the other, where each call takes so many milliseconds on its way.
 *
 * An import passes when 100,000 rows would take 60 s (known accounts) or 100 s (accounts of their own) at its pace,
 * while 95 of 100 other calls are answered within 50 ms, memory grows by at most 150 MiB and nobody waits for the write
 * lock longer than 100 ms; the feed with 5,000 events a second; the streams when half of the events are there within
 * 20 ms of the call that makes them; the batch when it is five times as fast.
 */
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeId, makeToken } from "../../src/core/ids.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { pause } from "../../src/platform/pause.ts";
import { type Body, send } from "../support/app.ts";
import { addEvents } from "./events.ts";
import { watchLock } from "./lock_watch.ts";
import { serve } from "../support/service.ts";
import { type Logged, readMemory, startLogged } from "./process_figures.ts";
import { makeWorld, type World } from "./world.ts";

const columns = [
  "external_id",
  "salutation",
  "first_name",
  "last_name",
  "email",
  "phone_number",
  "title",
  "consent.call",
  "consent.email",
  "consent.letter",
  "consent.sms",
  "created_at",
  "account.external_id",
  "account.name",
  "account.address",
  "account.zip_code",
  "account.city",
  "account.state_region",
  "account.country",
  "account.website",
];

/** A row has one of the accounts, of which each has ten contacts, or one of its own. */
function row(n: number, kind: "known" | "own"): string {
  const account = kind === "known" ? `known ${n % knownAccounts}` : `own ${n}`;
  return [
    `${kind} contact ${n}`,
    "Ms",
    "Ada",
    `Byron ${n}`,
    `ada.${kind}.${n}@example.org`,
    `+49 30 ${1_000_000 + n}`,
    "Countess",
    "yes",
    "yes",
    "no",
    "",
    "2026-01-31 10:00:00",
    account,
    `Firm ${account}`,
    `Street ${n}`,
    "10115",
    "Berlin",
    "Berlin",
    "DE",
    "https://example.org",
  ].join(",");
}

let knownAccounts = 1;

interface Place {
  readonly world: World;
  readonly server: Logged;
}

/** Returns the exit code: 1 when a figure misses its aim. */
export async function runIntegration(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: "string", default: "2000" },
      contacts: { type: "string", default: "10000" },
      events: { type: "string", default: "0" },
      delay: { type: "string", default: "20" },
      only: { type: "string", default: "" },
    },
  });
  const [rows, contacts, events, delay] = [values.rows, values.contacts, values.events, values.delay]
    .map(Number) as [number, number, number, number];
  const folder = mkdtempSync(join(Deno.env.get("TMPDIR") ?? "/tmp", "wayline-bench-"));
  try {
    const size = { contacts, accounts: contacts / 5, cases: contacts / 10 };
    const world = await makeWorld(folder, { ...size, target: "http://127.0.0.1:9" });
    if (events > 0) addEvents(world.file, events);
    const env = {
      DATABASE_URL: `file:${world.file}`,
      STORAGE_URL: `file:${folder}/files`,
      PORT: "0",
      LOG_LEVEL: "info",
    };
    const place = { world, server: await startLogged(serve, env, join(folder, "log")) };
    // A second after its start, the service returns memory.
    await pause(2_000);
    let missed = 0;
    const report = (name: string, figure: string, aim: string, isMissed: boolean) => {
      if (isMissed) missed++;
      console.log(`| ${name} | ${figure}${isMissed ? " (missed)" : ""} | ${aim} |`);
    };
    console.log("\n| what | measured | aim |\n|---|---|---|");
    try {
      await measureImports(place, rows, values.only, report);
      await measureFeed(place, values.only, report);
      await measureStreams(place, values.only, report);
      await measureBatch(place, delay, values.only, report);
    } finally {
      await place.server.end();
    }
    return missed > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** 150 MiB in megabytes. */
const mostMb = 157;
/** Pages of the feed that are read. */
const mostPages = 1_000;

type Report = (name: string, figure: string, aim: string, isMissed: boolean) => void;

async function measureImports(place: Place, rows: number, only: string, report: Report): Promise<void> {
  if (!"import".includes(only)) return;
  knownAccounts = Math.max(1, Math.floor(rows / 10));
  const names = Array.from({ length: knownAccounts }, (_, n) => `known ${n},Firm known ${n}`);
  await importFile(place, "accounts", ["external_id,name", ...names]);
  for (const [kind, aim] of [["known", 60], ["own", 100]] as const) {
    const lines = [columns.join(","), ...Array.from({ length: rows }, (_, n) => row(n, kind))];
    const idleMb = readMemory(place.server.pid);
    const watched = watch(place);
    const begun = performance.now();
    await importFile(place, "contacts", lines);
    const seconds = (performance.now() - begun) / 1_000;
    const { p95, mb, lockMs } = await watched.end();
    const whole = seconds * 100_000 / rows;
    report(
      `import of ${rows} contacts, ${kind === "known" ? "accounts that are there" : "accounts of their own"}`,
      `${Math.round(rows / seconds)} rows a second, p95 beside ${p95.toFixed(1)} ms, ` +
        `${mb - idleMb} MB more, the write lock held for ${Math.round(lockMs)} ms at most`,
      `${Math.round(100_000 / aim)} rows a second, 50 ms, ${mostMb} MB, 100 ms`,
      whole > aim || p95 > 50 || mb - idleMb > mostMb || lockMs > 100,
    );
  }
}

/** Imports a file and waits for its end. */
async function importFile({ world, server }: Place, entity: string, lines: readonly string[]): Promise<void> {
  const form = new FormData();
  form.set("entity", entity);
  // The team of the member, who reads the events of it.
  form.set("team_id", String((world.lead as { readonly team_id: number }).team_id));
  form.set("file", new File([lines.join("\n")], "customers.csv"));
  const sent = await fetch(`${server.url}/v1/imports`, {
    method: "POST",
    body: form,
    headers: { Authorization: `Bearer ${world.admin}` },
  });
  const { id } = await sent.json();
  if (sent.status !== 201) throw new Error(`The import answered ${sent.status}.`);
  for (;;) {
    const { body } = await send(`${server.url}/v1/imports/${id}`, "GET", world.admin);
    if (body.finished_at !== null) {
      if (body.status === "done" && body.counts.failed === 0) return;
      throw new Error(`The import ended as ${body.status}: ${JSON.stringify(body.counts)}`);
    }
    await pause(50);
  }
}

/** Calls beside a load, and follows the memory of the service and its write lock. */
function watch({ world, server }: Place) {
  const took: number[] = [];
  const lock = watchLock(world.file);
  let mb = 0;
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await send(`${server.url}/v1/me`, "GET", world.member);
      took.push(performance.now() - begun);
      mb = Math.max(mb, readMemory(server.pid));
      await pause(5);
    }
  })();
  return {
    async end() {
      isOver = true;
      await running;
      const sorted = took.toSorted((one, other) => one - other);
      return { p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0, mb, lockMs: await lock.end() };
    },
  };
}

async function measureFeed({ world, server }: Place, only: string, report: Report): Promise<void> {
  if (!"feed".includes(only)) return;
  await allowFeed({ world, server });
  for (const [name, token] of [["an admin", world.admin], ["a member", world.member]] as const) {
    const begun = performance.now();
    let [n, pages, after] = [0, 0, ""];
    for (let more = true; more && pages < mostPages; pages++) {
      const { status, body } = await send(`${server.url}/v1/events?limit=500${after}`, "GET", token);
      if (status !== 200) throw new Error(`The feed answered ${status}.`);
      n += (body.data as Body[]).length;
      after = `&after=${body.next}`;
      more = body.more;
    }
    const perSecond = n / ((performance.now() - begun) / 1_000);
    report(
      `feed by ${name}, pages of 500`,
      `${n} events in ${pages} pages, ${Math.round(perSecond)} a second`,
      "5,000 a second",
      perSecond < 5_000,
    );
  }
}

/** Of one user and client ten may wait, so each ten streams have a client of their own. */
const [clients, perClient, events] = [20, 10, 60];

/** The body of a contact's event has 2 KB, an account's 10, with the countries that its field offers. */
async function measureStreams(place: Place, only: string, report: Report) {
  if (!"streams".includes(only)) return;
  await measureStreamEvents(place, "contact", report);
  await measureStreamEvents(place, "account", report);
}

/** Measures from the sending of a call until its event is on each of the streams. */
async function measureStreamEvents(
  { world, server: { url } }: Place,
  type: "contact" | "account",
  report: Report,
): Promise<void> {
  const took: number[] = [];
  let sentAt = 0;
  const left = new AbortController();
  const read = async (token: string) => {
    const answer = await fetch(`${url}/v1/events/stream?after=now&types=${type}_created`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: left.signal,
    });
    if (answer.status !== 200) throw new Error(`The stream answered ${answer.status}.`);
    return async () => {
      try {
        // The end of an event. It is not parsed here, so that the reader takes little time from the service.
        for await (const chunk of answer.body ?? []) {
          if (chunk.length > comment.length && chunk.at(-2) === newline) {
            took.push(performance.now() - sentAt);
          }
        }
      } catch (error) {
        if (!left.signal.aborted) throw error;
      }
    };
  };
  const readers: Promise<() => Promise<void>>[] = [];
  for (let n = 0; n < clients; n++) {
    const token = addClient(world.file, world.admin);
    for (let k = 0; k < perClient; k++) readers.push(read(token));
  }
  const following = (await Promise.all(readers)).map((follow) => follow());
  const account = await send(`${url}/v1/accounts`, "POST", world.admin, {
    fixed_fields: [{ name: "name", value: "Streams" }],
  });
  const paths = { account: "accounts", contact: `accounts/${account.body.id}/contacts` };
  // What a stream begins with.
  await pause(500);
  took.length = 0;
  for (let n = 0; n < events; n++) {
    const body = {
      fixed_fields: [{ name: type === "account" ? "name" : "last_name", value: `Streamed ${n}` }],
    };
    sentAt = performance.now();
    const { status, text } = await send(`${url}/v1/${paths[type]}`, "POST", world.admin, body);
    if (status !== 201) throw new Error(`A record answered ${status}: ${text}`);
    while (took.length < (n + 1) * readers.length) await pause(5);
    // Events come at any time of the intervals in which the service looks.
    await pause(Math.random() * 100);
  }
  left.abort();
  await Promise.all(following);
  const sorted = took.toSorted((one, other) => one - other);
  const [p50, p95] = [0.5, 0.95].map((part) => sorted[Math.floor(sorted.length * part)]!) as [number, number];
  const [what, streams] = [type === "account" ? "an account" : "a contact", readers.length];
  report(
    `event of ${what} on each of ${streams} streams, from the call`,
    `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    "p50 20 ms",
    p50 > 20,
  );
}

/** What a stream sends when nothing happens. */
const comment = ":\n\n";
const newline = "\n".charCodeAt(0);

/** Adds a client of the owner of a token, and returns a token of it. Clients are made by trusted ones alone. */
function addClient(file: string, of: string): string {
  const connection = new DatabaseSync(file);
  const copy = (table: string, where: string, value: string, changes: Record<string, string>) => {
    const row = { ...connection.prepare(`select * from ${table} where ${where} = ?`).get(value), ...changes };
    const places = Object.keys(row).map(() => "?").join(", ");
    connection.prepare(`insert into ${table} (${Object.keys(row).join(", ")}) values (${places})`)
      .run(...Object.values(row));
  };
  const known = connection.prepare("select client_id from access_tokens where hash = ?").get(sha256(of));
  const [token, client_id] = [makeToken(), makeId()];
  copy("applications", "client_id", known!.client_id as string, { client_id });
  copy("access_tokens", "hash", sha256(of), { hash: sha256(token), id: makeId(), client_id });
  connection.close();
  return token;
}

/** Gives the member the right that the feed needs. */
async function allowFeed({ world: { admin, member }, server: { url } }: Place): Promise<void> {
  const call = async (method: string, path: string, token: string, body?: object): Promise<Body> => {
    const answer = await send(url + path, method, token, body);
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const { id: role } = await call("POST", "/v1/roles", admin, { name: "Feed", rights: ["webhooks.manage"] });
  const { id, company } = await call("GET", "/v1/me", member);
  await call("PUT", `/v1/companies/${company.id}/users/${id}`, admin, { role_ids: [role] });
}

async function measureBatch({ world, server }: Place, delay: number, only: string, report: Report) {
  if (!"batch".includes(only)) return;
  const { admin: token, samples } = world;
  const paths = Array.from({ length: 50 }, (_, n) => samples.accounts[n % samples.accounts.length]!.path);
  const call = async (method: string, path: string, body?: object) => {
    await pause(delay);
    const { status } = await send(server.url + path, method, token, body);
    if (status !== 200) throw new Error(`${path} answered ${status}.`);
  };
  const single = async () => {
    for (const path of paths) await call("GET", path);
  };
  const together = () =>
    call("POST", "/v1/batch", { requests: paths.map((path) => ({ method: "GET", path })) });
  const timeSecondRun = async (run: () => Promise<void>) => {
    await run();
    const begun = performance.now();
    await run();
    return performance.now() - begun;
  };
  const [apart, batch] = [await timeSecondRun(single), await timeSecondRun(together)];
  report(
    `batch of 50 reads, ${delay} ms a call`,
    `${batch.toFixed(0)} ms in place of ${apart.toFixed(0)} ms, ${(apart / batch).toFixed(1)} times as fast`,
    "5 times",
    apart / batch < 5,
  );
}
