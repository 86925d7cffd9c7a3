import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { Endpoint } from "../../src/http/endpoint.ts";
import type { Body, TestApp } from "../support/app.ts";
import { listMembers, listRequired, type Member, withMember } from "./member_values.ts";
import { hiddenMembers, refusedMembers } from "./unclear_members.ts";
import { fill, type Place } from "./place.ts";
import { prepare, type Prepared, sendPrepared, startApp, writes } from "./sweep.ts";

/**
 * Operations whose bodies are questions: what they change is the answer, which tests of their own compare. A
 * request to reset a password has the same answer for each address.
 */
const questions = new Set([
  "requestPasswordReset",
  "createChart",
  "createReportExport",
  "createExport",
  "previewTemplate",
]);

/** Operations whose bodies have members that change a record. */
const changing = writes.filter(({ declared }) =>
  (declared.method === "put" || declared.method === "post") && declared.body && !declared.multipart &&
  !questions.has(declared.operation)
);

Deno.test("each member of each body has an effect, and a PUT that has one changes the ETag", async () => {
  await using app = await startApp();
  const place = await fill(app);
  const document = (await app.call(null, "GET", "/openapi.json")).body;
  const sweep: Sweep = { app, place, document, readRows: rowReader(app.file) };
  const found: Record<Verdict, string[]> = { clear: [], refused: [], unclear: [], "keeps its ETag": [] };
  for (const endpoint of changing) {
    const { method, path, operation } = endpoint.declared;
    const sample = await prepare(place, endpoint);
    for (const member of listMembers(document, place, method, path, sample.body)) {
      const name = `${operation} ${member.keys.join(".")}`;
      if (unclear.has(name) && !Deno.env.has("UNCLEAR_MEMBERS")) continue;
      found[await judge(sweep, endpoint, member)].push(name);
    }
  }
  assert.deepEqual(found["keeps its ETag"], []);
  const silent = [...found.unclear, ...found.refused].filter((one) => !unclear.has(one));
  assert.deepEqual(silent, [], "nothing reads these members, or the sweep has no two right values for them");
  assert.deepEqual(found.clear.filter((one) => unclear.has(one)), [], "these members are clear now");
  console.log(`${found.clear.length} members are read, ${unclear.size} are unclear`);
  assert.ok(found.clear.length > 340);
});

/** The members that are unclear. To try them takes longer than to try all others. */
const unclear: ReadonlySet<string> = new Set(
  [...refusedMembers, ...hiddenMembers].flatMap(([operation, ...members]) =>
    members.map((one) => `${operation} ${one}`)
  ),
);

type Verdict = "clear" | "refused" | "unclear" | "keeps its ETag";

interface Sweep {
  readonly app: TestApp;
  readonly place: Place;
  readonly document: Body;
  readonly readRows: () => Rows;
}

/**
 * Sends one value, another and the first again. Compares the answers and the mails, and the rows where those do not
 * differ.
 */
async function judge(sweep: Sweep, endpoint: Endpoint, member: Member): Promise<Verdict> {
  const shown = await effects(sweep, endpoint, member, false);
  return shown === "unclear" ? await effects(sweep, endpoint, member, true) : shown;
}

interface Effect {
  readonly etag: string | null;
  readonly values: ReadonlyMap<string, string>;
}

async function effects(
  { app, place, document, readRows }: Sweep,
  endpoint: Endpoint,
  { keys, values }: Member,
  withRows: boolean,
): Promise<Verdict> {
  const { method, path, limits, answers } = endpoint.declared;
  const isPut = method === "put";
  // Of the PUTs with one answer, some answer 201 to a change.
  const creates = !isPut || (200 in answers && 201 in answers);
  const required = listRequired(document, method, path);
  let call = await prepare(place, endpoint);
  const send = async (value: unknown): Promise<Effect | null> => {
    if (!isPut) call = await prepare(place, endpoint);
    // The operations with limits take at most 20 calls an hour.
    app.clock.move(limits ? 200_000 : 60_000);
    const before = withRows ? readRows() : null;
    app.mailer.sent.splice(0);
    const reply = await sendPrepared(app.url, {
      ...call,
      body: withMember(creates ? call.body : alone(call, required), keys, value),
    });
    if (reply.status >= 300) return null;
    await app.idle();
    const rows = before ? newRows(before, readRows()) : new Map<string, string>();
    const values = new Map([...flat(reply.body, ""), ...flat(listMails(app), "mails"), ...rows]);
    return { etag: reply.headers.get("etag"), values };
  };
  const accepted: { value: unknown; effect: Effect }[] = [];
  for (const value of values.slice(0, mostTried)) {
    const effect = await send(value);
    if (!effect) continue;
    accepted.push({ value, effect });
    const [first] = accepted;
    if (accepted.length === 1 || different(first!.effect.values, effect.values).size === 0) continue;
    const again = await send(first!.value);
    if (!again) continue;
    const noise = different(first!.effect.values, again.values);
    const differ = [...different(first!.effect.values, effect.values)].some((one) => !noise.has(one));
    if (!differ) continue;
    const keeps = isPut && effect.etag !== null && first!.effect.etag === effect.etag;
    // Notifications and changes of other records leave the record as it is.
    return keeps && !["notify", "with_cases"].includes(keys[0]!) ? "keeps its ETag" : "clear";
  }
  return accepted.length < 2 ? "refused" : "unclear";
}

/** The mails that went out. Their links have ids of their own. */
function listMails({ mailer }: TestApp): unknown {
  return JSON.parse(JSON.stringify(mailer.sent).replaceAll(/https?:[^"\\<>\s]+/g, "link"));
}

/** Values of a member that are tried. */
const mostTried = 7;

/** The members that a body needs. Calls that can create a record keep all of the sample. */
function alone({ body }: Prepared, required: readonly string[]): unknown {
  if (body === undefined || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body as object).filter(([key]) => required.includes(key)));
}

function different(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): Set<string> {
  const keys = new Set([...one.keys(), ...other.keys()]);
  return new Set([...keys].filter((key) => !isMoment(key) && one.get(key) !== other.get(key)));
}

function isMoment(key: string): boolean {
  return /(updated_at|created_at|version)$/.test(key);
}

function flat(value: unknown, at: string): [string, string][] {
  if (typeof value !== "object" || value === null) return [[at, JSON.stringify(value) ?? ""]];
  return [
    [`${at}#`, String(Object.keys(value).length)],
    ...Object.entries(value).flatMap(([key, part]) => flat(part, `${at}.${key}`)),
  ];
}

type Rows = ReadonlyMap<string, readonly string[]>;

/** Reads all rows, as JSON by table, through another connection with statements that stay prepared. */
function rowReader(path: string): () => Rows {
  const db = new DatabaseSync(path, { readOnly: true });
  const tables = db.prepare(
    "select name from sqlite_master m where type = 'table' and name not like 'sqlite_%' and not exists " +
      "(select 1 from sqlite_master v where v.sql like 'create virtual%' and m.name like v.name || '%')",
  ).all().map(({ name }) => String(name)).filter((name) => !unread.has(name));
  const reads = tables.map((name) => {
    const columns = db.prepare(`select name from pragma_table_info('${name}')`).all().map((one) =>
      `quote("${one.name}")`
    );
    return [name, db.prepare(`select json_array(${columns}) as row from "${name}"`)] as const;
  });
  return () => new Map(reads.map(([name, read]) => [name, read.all().map(({ row }) => String(row))]));
}

/** Tables that change with each call. */
const unread = new Set(["facts", "outbox", "json_pool"]);

/** Returns the values of the rows that are new or changed, by table, row and column. */
function newRows(before: Rows, after: Rows): Map<string, string> {
  const found = new Map<string, string>();
  for (const [table, rows] of after) {
    const known = new Set(before.get(table));
    rows.filter((row) => !known.has(row)).forEach((row, index) => {
      (JSON.parse(row) as string[]).forEach((value, column) =>
        found.set(`${table} ${index} ${column}`, value)
      );
    });
  }
  return found;
}
