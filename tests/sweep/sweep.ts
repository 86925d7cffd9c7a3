/** What the sweeps share: every endpoint with its sample, called and judged. */
import assert from "node:assert/strict";
import { z } from "zod";
import { endpoints } from "../../src/app.ts";
import { factKinds } from "../../src/core/fact_kinds.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { meanings } from "../../src/http/problem_meanings.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { type Reply, send, startApp as startAnyApp, type TestApp } from "../support/app.ts";
import { type Server, startProcess } from "../support/process.ts";
import { prepareApp, type Prepared as PreparedApp } from "../support/prepared.ts";
import { programArguments } from "../support/programs.ts";
import { isException } from "./exceptions.ts";
import { fill, type Place } from "./place.ts";
import { type Call, samples } from "./samples.ts";

export interface Prepared {
  readonly method: string;
  /** The path, with its query. */
  readonly path: string;
  readonly body: unknown;
  readonly token: string;
}

export const writes = endpoints.filter(({ writes }) => writes);

export const repeatable = writes.filter(({ declared }) => !isException(declared.operation, "repeated"));

/** Whether the call had its effect: 2xx, or a redirect to what it asks for. */
export function isSuccess({ status }: { readonly status: number }): boolean {
  return status < 300 || status === 303;
}

/** The records of a page, in one list or in several. */
export function takeRecords({ data, folders, files }: Reply["body"]): Reply["body"][] {
  if (Array.isArray(data)) return data;
  if (data?.folders) return takeRecords(data);
  // The `data` of a stored report is figures, not records.
  return folders ? [...folders, ...files] : [];
}

/** Returns the text of an answer as it is stored under an idempotency key: without download tokens. */
export function keptText(text: string): string {
  return text.replaceAll(/,"download_token":"[\w-]{71}"/g, "");
}

/** Prepares a right call of the operation. */
export async function prepare(place: Place, endpoint: Endpoint): Promise<Prepared> {
  const { declared } = endpoint;
  const sample = samples[declared.operation];
  assert.ok(sample, `${declared.operation} has no sample in tests/sweep/samples.ts`);
  const call = await sample(place);
  // Events of the sample are delivered before the call is judged.
  await place.world.app.idle();
  return prepareSample(place, endpoint, call);
}

/** Returns the sample's call as it is sent. */
export function prepareSample(place: Place, endpoint: Endpoint, call: Call): Prepared {
  const { declared } = endpoint;
  return {
    method: declared.method.toUpperCase(),
    path: fillPath(declared.path, place, call) + (call.query ? `?${call.query}` : ""),
    body: call.body,
    token: call.token ?? tokenFor(place, endpoint),
  };
}

/** Returns the token of a caller who may make the call. */
export function tokenFor(place: Place, { declared, access }: Endpoint): string {
  if (access !== "user") return place.trusted;
  return declared.trusted ? place.trustedAdmin : place.world.admin.token;
}

/** The path of a call, with the parameters of the sample or of the place. */
export function fillPath(path: string, place: Place, call: Call): string {
  const params: Readonly<Record<string, string | number>> = {
    owner_type: "account",
    ...place.ids,
    ...call.params,
  };
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    assert.ok(value !== undefined, `no record for :${name} in tests/sweep/place.ts`);
    return String(value);
  });
}

/** The address with more in its query. */
export function withQuery(path: string, query: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

export async function sendPrepared(
  url: string,
  { method, path, body, token }: Prepared,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return await send(url + path, method, token, body, headers);
}

/** Reports whether anything was written to the database since the last call. */
export interface Witness extends AsyncDisposable {
  changed(): boolean;
}

export function watchDatabase({ file }: TestApp): Witness {
  const db = openFile(file);
  let seen = db.stamp();
  return {
    changed() {
      const before = seen;
      seen = db.stamp();
      return seen !== before;
    },
    [Symbol.asyncDispose]: () => db.close(),
  };
}

const counters: Readonly<Record<string, string>> = {
  totals: "coalesce(sum(n), 0)",
  file_totals: "coalesce(sum(n), 0)",
  folder_contents: "coalesce(sum(folders + files), 0)",
  notification_counts: "coalesce(sum(total), 0)",
  // A process records the calls of a user once a second, so how many calls a fact stands for depends on the clock.
  facts: `coalesce(sum(kind <> ${factKinds.call}), 0)`,
};

/**
 * Counts rows by table, without shadow tables of search indexes. For counters returns their sum; for facts
 * leaves out calls.
 */
export async function countTables(app: TestApp): Promise<Record<string, number>> {
  let counting = countings.get(app);
  if (!counting) {
    const tables = await app.sql(
      "select name from sqlite_master m where type = 'table' and name not like 'sqlite_%' and not exists " +
        "(select 1 from sqlite_master v where v.sql like 'create virtual%' and m.name like v.name || '%')",
    );
    const selects = tables.map(({ name }) =>
      `select '${name}' as name, ${counters[String(name)] ?? "count(*)"} as n from "${name}"`
    );
    countings.set(app, counting = selects.join(" union all "));
  }
  return Object.fromEntries((await app.sql(counting)).map(({ name, n }) => [String(name), Number(n)]));
}

/**
 * The statement that counts all tables of an app. Listing the tables without those of search indexes takes 12
 * ms, and counting their rows half a millisecond.
 */
const countings = new WeakMap<TestApp, string>();

/** Checks that a refusal is a complete problem document whose code belongs to its status. */
export function assertProblem(reply: Reply, at: string): void {
  assert.equal(reply.headers.get("content-type"), "application/problem+json; charset=utf-8", at);
  const problem = Problem.safeParse(reply.body);
  assert.ok(problem.success, `${at}: ${problem.error?.message} in ${reply.text}`);
  assert.equal(problem.data.status, reply.status, at);
  assert.ok(
    meanings[problem.data.code as "forbidden"]?.startsWith(`${reply.status}.`),
    `${at}: ${reply.text}`,
  );
  assert.equal(problem.data.request_id, reply.headers.get("x-request-id"), at);
  if (reply.status === 422) assert.ok(problem.data.errors!.length > 0, at);
}

const Problem = z.strictObject({
  type: z.url(),
  title: z.string().min(1),
  status: z.int(),
  detail: z.string().min(1),
  code: z.string(),
  request_id: z.string(),
  errors: z.array(z.strictObject({ path: z.string(), code: z.string(), message: z.string().min(1) }))
    .optional(),
  impact: z.unknown().optional(),
});

/** Checks that an answer fits the schema that its endpoint declares for its status, and has no other keys. */
export function assertDeclared({ declared }: Endpoint, reply: Reply, at: string): void {
  const answer = declared.answers[reply.status];
  assert.ok(answer, `${at}: ${reply.status} is not declared: ${reply.text}`);
  if (answer.schema === null) return assert.equal(reply.text, "", at);
  if (answer.media) assert.equal(reply.headers.get("content-type"), `${answer.media}; charset=utf-8`, at);
  const parsed = strict(answer.schema).safeParse(answer.media ? reply.text : reply.body);
  assert.ok(parsed.success, `${at}: ${parsed.error?.message}`);
}

const stricter = new WeakMap<z.ZodType, z.ZodType>();

/** Returns the schema with every object closed to keys that it does not name. */
function strict(schema: z.ZodType): z.ZodType {
  let made = stricter.get(schema);
  if (!made) stricter.set(schema, made = close(schema));
  return made;
}

function close(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries<z.ZodType>(schema.shape).map(([key, value]) => [key, strict(value)]);
    return z.strictObject(Object.fromEntries(shape));
  }
  if (schema instanceof z.ZodArray) return z.array(strict(schema.element as z.ZodType));
  if (schema instanceof z.ZodNullable) return strict(schema.unwrap() as z.ZodType).nullable();
  if (schema instanceof z.ZodOptional) return strict(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map((one) => strict(one as z.ZodType)));
  return schema;
}

/** Runs a step for each endpoint on one app. */
export async function sweep(
  t: Deno.TestContext,
  of: readonly Endpoint[],
  app: TestApp,
  step: (endpoint: Endpoint, at: string) => Promise<void>,
): Promise<void> {
  assert.ok(of.length > 0);
  for (const endpoint of of) {
    const at = `${endpoint.declared.method.toUpperCase()} ${endpoint.declared.path}`;
    await t.step(at, async () => {
      await step(endpoint, at);
      assert.deepEqual(app.log.entries.filter((entry) => entry.level === "error"), [], at);
    });
  }
}

/** An app whose companies may have as many webhooks, and write as many mails, as the sweeps make. */
export function startApp(): Promise<TestApp> {
  return startAnyApp(withoutLimits);
}

const withoutLimits = { WEBHOOK_LIMIT: "100000", MAIL_USER_LIMIT: "0", MAIL_COMPANY_LIMIT: "0" } as const;

const startCopy = prepareApp(withoutLimits, fill);

/** Starts such an app with a filled company. It is filled once for all tests of a process, and each has a copy. */
export async function startFilled(): Promise<PreparedApp<Place>> {
  const filled = await startCopy();
  // Samples note by the ids what they have made.
  return { ...filled, made: { ...filled.made, ids: { ...filled.made.ids } } };
}

/**
 * Starts another process that serves the app's database. It collects garbage without further threads, which
 * cost a tenth more, unless other `flags` are given.
 */
export function startServer(
  app: TestApp,
  env: Readonly<Record<string, string>> = {},
  flags = "--v8-flags=--single-threaded-gc",
): Promise<Server> {
  const [run = "run", ...others] = programArguments("tests/sweep/server.ts");
  return startProcess([run, flags, ...others], {
    DATABASE_URL: `file:${app.file}`,
    STORAGE_URL: `file:${app.folder}/files`,
    NOW: String(app.clock.now()),
    ...withoutLimits,
    WEBHOOK_ALLOW_PRIVATE: "true",
    LOG_LEVEL: "error",
    ...env,
  });
}

export { endpoints };
