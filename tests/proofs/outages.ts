/**
 * Takes the database, the storage and the mail server of a serving process away and gives them back, at random,
 * while several wings are used. Calls are answered or refused with 503; nothing that was answered is lost, and
 * nobody gets a mail twice.
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { sql } from "../../src/db/statements.ts";
import { pause } from "../../src/platform/pause.ts";
import { send, startApp } from "../support/app.ts";
import {
  type Child,
  PROJECT_ROOT,
  runOfTests,
  type Server,
  startChild,
  startProcess,
} from "../support/process.ts";
import { serve } from "../support/service.ts";
import { Refusal, type Smtp, startSmtp } from "../support/smtp.ts";
import { campaignOf, everybody, sendingCompany } from "../messages/campaign_world.ts";
import { runJobsAt } from "./jobs_here.ts";

export type Where = "file" | "remote";

export interface Outcome {
  /** Calls by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** 95 of 100 calls of `/me` take at most so many milliseconds while the database answers. */
  readonly p95: number;
  readonly mails: number;
}

/** Milliseconds of an outage, and between two. */
interface Times {
  readonly away: number;
  readonly back: number;
}

const recipients = 150;
const hour = 3_600_000;

export async function survive(
  folder: string,
  { where, rounds, random, times }: {
    readonly where: Where;
    readonly rounds: number;
    readonly random: () => number;
    readonly times: Times;
  },
): Promise<Outcome> {
  await using smtp = await startSmtp();
  const { token, user } = await prepare(folder);
  const remote = where === "remote" ? await startEndpoint(`${folder}/crm.db`) : null;
  const env = {
    DATABASE_URL: remote?.url ?? `file:${folder}/crm.db`,
    STORAGE_URL: `file:${folder}/files`,
    SECRETS_KEY: key,
    MAIL_URL: smtp.url,
    MAIL_RATE: "20",
    PORT: "0",
    LOG_LEVEL: "info",
  };
  const server = await startProcess(serve, env, { timeoutMs: 60_000 });
  const load = new Load(server, token, user);
  const outages = outagesOf(folder, smtp, remote);
  try {
    const running = load.run();
    running.catch(() => load.stop());
    for (let round = 0; round < rounds; round++) {
      const name = Object.keys(
        outages,
      )[Math.floor(random() * Object.keys(outages).length)]!;
      const isDatabase = name.startsWith("database");
      const giveBack = await outages[name]!();
      if (isDatabase) load.isDatabaseAway = true;
      await pause(times.away * (0.5 + random()));
      await giveBack();
      await pause(300);
      load.isDatabaseAway = false;
      await pause(times.back * (0.5 + random()));
    }
    load.stop();
    await running;
    const ended = await Promise.race([server.status, pause(0)]);
    assert.equal(ended, undefined, `the process ended: ${server.output()}`);
    const { code } = await server.kill("SIGTERM");
    assert.equal(code, 0, server.output());
  } finally {
    load.stop();
    await server.kill("SIGKILL");
    await remote?.close();
  }
  const defects = server.output().split("\n").filter((line) => /"event":"(defect|error)"/.test(line));
  assert.deepEqual(defects, []);
  // Retries are due minutes later.
  const file = {
    ...env,
    DATABASE_URL: `file:${folder}/crm.db`,
    MAIL_RATE: "0",
  };
  for (let hours = 1; hours <= 3; hours++) {
    await runJobsAt(file, Date.now() + hours * hour);
  }
  load.check(`${folder}/crm.db`);
  checkMails(smtp, load);
  return { statuses: load.statuses, p95: load.p95(), mails: smtp.mails.length };
}

const key = new Uint8Array(32).fill(7).toBase64();

/** Makes a company with contacts and a campaign that is being sent, in a file of the folder. */
async function prepare(
  folder: string,
): Promise<{ token: string; user: number }> {
  await using app = await startApp({ SECRETS_KEY: key });
  app.clock.move(Date.now() - app.clock.now());
  const company = await sendingCompany(app);
  const { admin, id } = company;
  const user = await company.user();
  const addresses = JSON.stringify(
    Array.from({ length: recipients }, (_, n) => `r${n}@example.org`),
  );
  const at = "2026-01-01 00:00:00";
  await app.deps.db.write([
    sql`insert into accounts (id, company_id, name_key, last_activity_at, created_at, updated_at)
      select printf('01939c5e-7d3a-7001-8000-%012x', key), ${id}, '', ${at}, ${at}, ${at} from json_each(${addresses})`,
    sql`insert into contacts (id, company_id, account_id, email, last_name_key, last_activity_at, created_at,
      updated_at) select printf('01939c5e-7d3a-7002-8000-%012x', key), ${id},
      printf('01939c5e-7d3a-7001-8000-%012x', key), value, '', ${at}, ${at}, ${at} from json_each(${addresses})`,
  ]);
  await campaignOf(admin, everybody);
  await app.deps.db.script(`vacuum into '${folder}/crm.db'`);
  return { token: admin.token, user: user.id };
}

type Outage = () => Promise<() => Promise<void>>;

function outagesOf(
  folder: string,
  smtp: Smtp,
  remote: Endpoint | null,
): Readonly<Record<string, Outage>> {
  const mailServer: Outage = () => {
    smtp.dead = true;
    smtp.onRecipient = () => {
      throw new Refusal(421, "closing");
    };
    return Promise.resolve(() => {
      smtp.dead = false;
      smtp.onRecipient = () => {};
      return Promise.resolve();
    });
  };
  const storage: Outage = async () => {
    const [path, aside] = [`${folder}/files`, `${folder}/files.aside`];
    await Deno.mkdir(path, { recursive: true });
    await Deno.rename(path, aside);
    await Deno.writeTextFile(path, "no folder");
    return async () => {
      await Deno.remove(path);
      await Deno.rename(aside, path);
    };
  };
  if (remote !== null) {
    return {
      mailServer,
      storage,
      databaseStops: remote.stop,
      databaseHangs: remote.hang,
    };
  }
  return {
    mailServer,
    storage,
    databaseHeld() {
      const other = new DatabaseSync(`${folder}/crm.db`, { timeout: 10_000 });
      other.exec("begin immediate");
      return Promise.resolve(() => {
        other.exec("rollback");
        other.close();
        return Promise.resolve();
      });
    },
  };
}

interface Endpoint {
  readonly url: string;
  readonly stop: Outage;
  readonly hang: Outage;
  close(): Promise<void>;
}

/** A remote database in a process of its own, at an address that stays. */
async function startEndpoint(path: string): Promise<Endpoint> {
  let child: Child;
  const start = async (port: string) => {
    child = startChild([
      ...runOfTests,
      `${PROJECT_ROOT}tests/support/hrana.ts`,
      "--file",
      path,
      "--port",
      port,
    ], {});
    return await child.line(
      (line) => /^http:\S+$/.exec(line)?.[0] ?? null,
      30_000,
    );
  };
  const url = await start("0");
  return {
    url,
    async stop() {
      await child.kill("SIGKILL");
      return async () => void await start(new URL(url).port);
    },
    hang() {
      Deno.kill(child.pid, "SIGSTOP");
      return Promise.resolve(() => Promise.resolve(Deno.kill(child.pid, "SIGCONT")));
    },
    async close() {
      await child.kill("SIGKILL");
    },
  };
}

/** Calls of several wings, until it is stopped. */
class Load {
  isDatabaseAway = false;
  readonly statuses: Record<number, number> = {};
  readonly #times: number[] = [];
  /** Names of accounts, texts of notifications and texts of files by id that were answered. */
  readonly accounts: string[] = [];
  readonly messages: string[] = [];
  readonly files = new Map<string, string>();
  #isStopped = false;
  #count = 0;

  constructor(
    readonly server: Server,
    readonly token: string,
    readonly user: number,
  ) {}

  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    await Promise.all([
      this.#look(),
      this.#repeat(20, this.#account),
      this.#repeat(200, this.#notify),
      this.#repeat(50, this.#file),
      this.#repeat(400, this.#print),
    ]);
  }

  p95(): number {
    const times = this.#times.toSorted((one, other) => one - other);
    return times[Math.floor(times.length * 0.95)]!;
  }

  async #repeat(wait: number, call: () => Promise<void>): Promise<void> {
    while (!this.#isStopped) {
      await call.call(this);
      await pause(wait);
    }
  }

  async #look(): Promise<void> {
    while (!this.#isStopped) {
      const wasAway = this.isDatabaseAway;
      const begun = performance.now();
      await this.#call("GET", "/v1/me");
      if (!wasAway && !this.isDatabaseAway) {
        this.#times.push(performance.now() - begun);
      }
      await pause(20);
    }
  }

  /** Calls once. Every answer is a success or says that the service cannot do it now. */
  async #call(
    method: string,
    path: string,
    body?: unknown,
    idempotencyKey?: string,
  ) {
    const headers: Record<string, string> = idempotencyKey ? { "Idempotency-Key": idempotencyKey } : {};
    const reply = await send(
      this.server.url + path,
      method,
      this.token,
      body,
      headers,
    );
    this.statuses[reply.status] = (this.statuses[reply.status] ?? 0) + 1;
    const isRight = reply.status < 300 || reply.status === 303 ||
      reply.status === 503;
    assert.ok(isRight, `${method} ${path}: ${reply.status} ${reply.text}`);
    return reply;
  }

  /** Sends a write again under its key until it is done. */
  async #write(path: string, body: unknown) {
    const idempotencyKey = `write-${this.#count++}`;
    while (true) {
      const reply = await this.#call("POST", path, body, idempotencyKey);
      if (reply.status < 300) return reply.body;
      if (this.#isStopped) return null;
      await pause(100);
    }
  }

  async #account(): Promise<void> {
    const name = `Account ${this.#count}`;
    if (
      await this.#write("/v1/accounts", {
        fixed_fields: [{ name: "name", value: name }],
      })
    ) {
      this.accounts.push(name);
    }
  }

  async #notify(): Promise<void> {
    const message = `Message ${this.#count}.`;
    if (
      await this.#write("/v1/notifications", {
        message,
        notify: { users: [this.user] },
      }) !== null
    ) {
      this.messages.push(message);
    }
  }

  async #file(): Promise<void> {
    const text = `File ${this.#count}`;
    const made = await this.#write("/v1/files", {
      name: `${text}.txt`,
      data: btoa(text),
    });
    if (!made) return;
    this.files.set(made.id, text);
    const { headers } = await this.#call(
      "GET",
      `/v1/files/${made.id}/download`,
    );
    const location = headers.get("location");
    if (location === null) return;
    const reply = await this.#call(
      "GET",
      new URL(location, this.server.url).href.replace(this.server.url, ""),
    );
    if (reply.status === 200) assert.equal(reply.text, text);
  }

  async #print(): Promise<void> {
    await this.#call("GET", "/v1/reports/performance/export/pdf");
  }

  /** Checks that everything that was answered is there, once. */
  check(path: string): void {
    using db = new DatabaseSync(path, { readOnly: true });
    const [checked] = db.prepare("pragma integrity_check").all();
    assert.deepEqual({ ...checked }, { integrity_check: "ok" });
    const names = db.prepare(
      "select name from accounts where name like 'Account %'",
    ).all().map(({ name }) => name);
    const times = Map.groupBy(names, (name) => name);
    assert.deepEqual(
      this.accounts.filter((name) => times.get(name)?.length !== 1),
      [],
      "accounts",
    );
    const ids = new Set(
      db.prepare("select id from files").all().map(({ id }) => id),
    );
    assert.deepEqual(
      [...this.files.keys()].filter((id) => !ids.has(id)),
      [],
      "files",
    );
  }
}

function checkMails({ mails }: Smtp, load: Load): void {
  const campaign = Map.groupBy(
    mails.filter(({ to }) => /^r\d+@/.test(to[0]!)),
    ({ to }) => to[0]!,
  );
  const twice = [...campaign].filter(([, of]) => of.length > 1).map(([to]) => to);
  assert.deepEqual(twice, [], "recipients of the campaign with two mails");
  assert.equal(campaign.size, recipients);
  const texts = mails.map(({ read }) => /Message \d+\./.exec(read.text ?? "")?.[0]).filter((text) =>
    text !== undefined
  );
  const counted = Map.groupBy(texts, (text) => text);
  const wrong = load.messages.filter((message) => counted.get(message)?.length !== 1);
  assert.deepEqual(wrong, [], "notifications without one mail");
}
