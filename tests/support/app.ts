/**
 * The real app over a real SQLite file, served over HTTP on loopback, with a clock that tests move. Companies
 * and users are inserted as rows, because hashing passwords is slow and few tests need it.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config.ts";
import { type Right, type UserType, userTypes } from "../../src/core/rights.ts";
import { makeId, makeToken } from "../../src/core/ids.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { setMoment } from "../../src/db/moment.ts";
import { insert } from "../../src/db/statements.ts";
import type { Deps } from "../../src/deps.ts";
import { openBox, type Parts } from "../../src/entry/box.ts";
import { listen } from "../../src/entry/listen.ts";
import { accessTokens, deviceCodes } from "../../src/identity/auth/table.ts";
import { applications } from "../../src/identity/applications/table.ts";
import { companies } from "../../src/identity/companies/table.ts";
import { groups } from "../../src/identity/groups/record.ts";
import { roleRights, roles, userRoles } from "../../src/identity/roles/record.ts";
import { teams } from "../../src/identity/teams/record.ts";
import { teamMembers } from "../../src/identity/teams/table.ts";
import { users } from "../../src/identity/users/record.ts";
import type { Row, Statement, Value } from "../../src/platform/database/database.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { directPrinter } from "./printer.ts";
import { lendCopy, lendDatabase } from "./databases.ts";
import { firstBlock, isEventStream } from "./event_stream.ts";
import { quickPasswords } from "./passwords.ts";
import {
  type MemoryLog,
  memoryLog,
  type MemoryMailer,
  memoryMailer,
  type MovableClock,
  movableClock,
} from "./ports.ts";
import { checkSaid, learn, learnCall, saidInRefusal, watchedByCaller, watchSecrets } from "./secrets.ts";
import { newFolder } from "./temporary.ts";

/** A Monday morning. */
export const start = Date.UTC(2026, 2, 2, 9, 0, 0);

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when there is none. */
  readonly body: Body;
}

/** Unchecked JSON: tests can follow any path. */
export type Body = ReturnType<typeof JSON.parse>;

export interface Actor {
  readonly id: number;
  readonly token: string;
  readonly companyId: number;
  /** Calls the API: `call("POST", "/v1/accounts", {…})`. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

export interface TestApp extends AsyncDisposable {
  readonly url: string;
  readonly deps: Deps;
  readonly clock: MovableClock;
  readonly log: MemoryLog;
  readonly mailer: MemoryMailer;
  /** The database file. A test that reads this may change the file: no other test gets it. */
  readonly file: string;
  /** The folder of the database and of stored files. No other test gets it once a test reads this. */
  readonly folder: string;
  /** Creates a company with an admin. */
  company(name?: string): Promise<TestCompany>;
  /** Creates a trusted client without a company; returns its token. */
  trustedClient(): Promise<string>;
  /** Calls with a token, or without one. */
  call(
    token: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  sql(text: string, ...args: Value[]): Promise<Row[]>;
  /** Waits for background work. */
  idle(): Promise<void>;
}

export interface TestCompany {
  readonly id: number;
  readonly admin: Actor;
  team(
    given?: { name?: string; group_id?: number; team_type?: "dealer" | null; timezone?: string },
  ): Promise<number>;
  group(name?: string): Promise<number>;
  /**
   * Creates a user in the teams, of which the first is the active one. `rights` are added to the default
   * ones.
   */
  user(
    given?: { type?: UserType; teams?: number[]; rights?: Right[]; active?: number | null },
  ): Promise<Actor>;
  /** Creates the code of a device that waits for approval. */
  deviceCode(number: number): Promise<number>;
  /** Creates another client of the company that acts for the user; returns its token. */
  token(userId: number, trusted?: boolean): Promise<string>;
}

/**
 * Serves a new app on a new database, or on a copy of the file `from`. `env` overrides the settings of the
 * tests, and the other parts replace those of the tests: by default, passwords get cheap hashes, and
 * documents are printed in this process, which loads the printer once for all apps.
 */
export async function startApp(
  env: Record<string, string> = {},
  { from, ...parts }: Pick<Parts, "passwords" | "printer"> & { readonly from?: string } = {},
): Promise<TestApp> {
  const lent = env.DATABASE_URL !== undefined
    ? null
    : await (from === undefined ? lendDatabase() : lendCopy(from));
  const folder = lent?.folder ?? newFolder("wayline-");
  const file = join(folder, "crm.db");
  let isReusable = true;
  const clock = movableClock(start);
  const log = memoryLog();
  const mailer = memoryMailer();
  const config = loadConfig({
    DATABASE_URL: `file:${file}`,
    STORAGE_URL: `file:${folder}/files`,
    WEBHOOK_ALLOW_PRIVATE: "true",
    ...env,
  });
  const box = await openBox(config, {
    passwords: quickPasswords(),
    printer: directPrinter,
    ...parts,
    ...(lent && { db: lent.db }),
    clock,
    log,
    mailer,
  });
  const { deps } = box;
  const app = createApp(deps);
  const watch = watchSecrets((request, bindings) => app.fetch(request, bindings));
  const server = await listen(watch.serve, { host: "127.0.0.1", port: 0, maxConnections: 1_000 }, log);
  const { url } = server;
  const call: TestApp["call"] = async (token, method, path, body, headers = {}) =>
    await send(url + path, method, token, body, headers);
  return {
    url,
    deps,
    clock,
    log,
    mailer,
    get file() {
      isReusable = false;
      return file;
    },
    get folder() {
      isReusable = false;
      return folder;
    },
    call,
    company: (name) => newCompany(deps, call, name ?? "Acme"),
    async trustedClient() {
      const clientId = makeId();
      await deps.db.write([insert(applications, application(deps, clientId, null, null, true))]);
      return await newToken(deps, clientId, null);
    },
    async sql(text, ...args) {
      const statement: Statement = { sql: text, args };
      const [result] = await deps.db.read([statement]);
      return await Promise.all(result!.rows.map(async (row) => {
        const whole = { ...row };
        // Numbers need no wait, and some tests read a hundred thousand.
        for (const [name, value] of Object.entries(row)) {
          if (typeof value === "string") whole[name] = await deps.jsonPool.expand(value);
        }
        return whole;
      }));
    },
    idle: () => deps.background.idle(),
    async [Symbol.asyncDispose]() {
      box.deps.eventReaders.stop();
      await server.stop();
      await box.close();
      if (lent) await lent.giveBack(isReusable);
      else rmSync(folder, { recursive: true });
      // The links of mails have tokens, too.
      for (const { text } of mailer.sent) learn(new Headers(), text);
      watch.check(log.entries.map((entry) => JSON.stringify(entry)));
    },
  };
}

/**
 * Returns an app that passes everything on to the current one. Companies and users that it makes call the app that is
 * current by then.
 */
export function relayTo(current: () => TestApp): TestApp {
  const through = <T extends object>(own: Partial<T>, of: () => T) =>
    new Proxy(own as T, {
      get: (_, name) => Reflect.has(own, name) ? Reflect.get(own, name) : Reflect.get(of(), name),
      // Spreading copies what the current one has.
      ownKeys: () => [...new Set([...Reflect.ownKeys(of()), ...Reflect.ownKeys(own)])],
      getOwnPropertyDescriptor: (_, name) => {
        const found = Reflect.getOwnPropertyDescriptor(own, name) ??
          Reflect.getOwnPropertyDescriptor(of(), name);
        return found && { ...found, configurable: true };
      },
    });
  const deps = through<Deps>({}, () => current().deps);
  const call: TestApp["call"] = (...asked) => current().call(...asked);
  const company: TestApp["company"] = (name) => newCompany(deps, call, name ?? "Acme");
  return through<TestApp>({ deps, call, company }, current);
}

/** A body that is sent unchanged under its own type. */
export class RawBody {
  constructor(readonly type: string, readonly bytes: Uint8Array<ArrayBuffer>) {}
}

/** One HTTP call. Sends text and raw bodies unchanged, others as JSON. */
export async function send(
  url: string,
  method: string,
  token: string | null,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  // Most clients of APIs send this; the runtime's default asks for every encoding.
  const sent: Record<string, string> = {
    "Accept-Encoding": "identity",
    ...(body instanceof RawBody ? {} : { [watchedByCaller]: "yes" }),
    ...headers,
  };
  if (token !== null) sent["Authorization"] = `Bearer ${token}`;
  if (body !== undefined && !Object.keys(sent).some((name) => name.toLowerCase() === "content-type")) {
    sent["Content-Type"] = body instanceof RawBody ? body.type : "application/json";
  }
  const written = body === undefined ? undefined : encodeBody(body);
  learnCall(sent, typeof written === "string" ? written : "", url);
  const response = await fetch(url, {
    method,
    headers: sent,
    redirect: "manual",
    ...(written === undefined ? {} : { body: written }),
  });
  const text = isEventStream(response) ? await firstBlock(response) : await response.text();
  learn(response.headers, text);
  checkSaid(saidInRefusal(`a ${method}`, response.status, text));
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== "" ? JSON.parse(text) : undefined,
  };
}

/** Returns the body as it is sent. */
export function encodeBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (body instanceof RawBody) return body.bytes;
  return typeof body === "string" ? body : JSON.stringify(body);
}

async function newCompany(deps: Deps, call: TestApp["call"], name: string): Promise<TestCompany> {
  const at = formatTimestamp(deps.clock.now());
  const stamps = { created_at: at, updated_at: at };
  const place = { timezone: "UTC", locale: "en-GB" };
  const id = await insertRow(
    deps,
    insert(companies, { name, ...place, language: "en", currency: "EUR", ...stamps }),
  );
  const token = async (userId: number, trusted = false) => {
    const clientId = makeId();
    await deps.db.write([insert(applications, application(deps, clientId, id, userId, trusted))]);
    return await newToken(deps, clientId, userId);
  };
  const user: TestCompany["user"] = async (given = {}) => {
    const { type = "user", teams: memberOf = [], rights = [] } = given;
    const email = `${makeId()}@example.org`;
    const userId = await insertRow(
      deps,
      insert(users, {
        company_id: id,
        first_name: "Ada",
        last_name: `Byron ${type}`,
        email,
        email_key: email,
        ...place,
        user_type: userTypes[type],
        active_team_id: given.active === undefined ? memberOf[0] ?? null : given.active,
        ...stamps,
      }),
    );
    const rows = memberOf.map((team_id) => insert(teamMembers, { user_id: userId, team_id }));
    if (rights.length > 0) {
      const roleId = await insertRow(deps, insert(roles, { company_id: id, name: makeId(), ...stamps }));
      rows.push(...rights.map((right_name) => insert(roleRights, { role_id: roleId, right_name })));
      rows.push(insert(userRoles, { user_id: userId, role_id: roleId }));
    }
    // Facts that these rows record get the present time.
    if (rows.length > 0) await deps.db.write([setMoment(deps.clock.now()), ...rows]);
    const bearer = await token(userId);
    return {
      id: userId,
      companyId: id,
      token: bearer,
      call: (method, path, body, headers) => call(bearer, method, path, body, headers),
    };
  };
  return {
    id,
    admin: await user({ type: "admin" }),
    user,
    token,
    async deviceCode(number) {
      const clientId = makeId();
      const now = deps.clock.now();
      await deps.db.write([
        insert(applications, application(deps, clientId, id, null, true)),
        insert(deviceCodes, {
          hash: sha256(makeToken()),
          user_code: 10_000_000 + number,
          client_id: clientId,
          poll_interval: 5,
          poll_at: now,
          expires_at: now + 600_000,
          kept_until: now + 600_000,
          created_at: formatTimestamp(now),
        }),
      ]);
      return 10_000_000 + number;
    },
    team: async (given = {}) =>
      await insertRow(
        deps,
        insert(teams, {
          company_id: id,
          name: given.name ?? "North",
          group_id: given.group_id ?? null,
          team_type: given.team_type ?? null,
          ...place,
          timezone: given.timezone ?? "UTC",
          ...stamps,
        }),
      ),
    group: async (groupName = "All") =>
      await insertRow(deps, insert(groups, { company_id: id, name: groupName, ...stamps })),
  };
}

function application(
  deps: Deps,
  clientId: string,
  companyId: number | null,
  userId: number | null,
  trusted: boolean,
) {
  const at = formatTimestamp(deps.clock.now());
  return {
    client_id: clientId,
    company_id: companyId,
    user_id: userId,
    name: "Test",
    secret_hash: sha256(makeToken()),
    secret_hint: "test",
    trusted: trusted ? 1 : 0,
    created_at: at,
    updated_at: at,
  };
}

/** Creates a token that outlives every clock of the tests. */
async function newToken(deps: Deps, clientId: string, userId: number | null): Promise<string> {
  const token = makeToken();
  await deps.db.write([insert(accessTokens, {
    hash: sha256(token),
    id: makeId(),
    client_id: clientId,
    user_id: userId,
    expires_at: Date.UTC(2100, 0),
    created_at: formatTimestamp(deps.clock.now()),
  })]);
  return token;
}

/** Inserts a row and returns its integer id. */
async function insertRow(deps: Deps, statement: Statement): Promise<number> {
  const [result] = await deps.db.write([{ sql: `${statement.sql} returning id`, args: statement.args }]);
  deps.callerCache.noteCommit([statement]);
  return Number(result!.rows[0]!.id);
}
