/** The calls of all wings during outages, and what must be there of them afterwards. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { pause } from "../../src/platform/pause.ts";
import { nameFields } from "../sales/leads_world.ts";
import { send } from "../support/app.ts";
import type { Server } from "../support/process.ts";
import { Integration } from "./outages_integration.ts";
import type { World } from "./outages_world.ts";

/** Calls of several wings, until it is stopped. */
export class Load {
  /** What is away now. */
  readonly away = new Set<string>();
  readonly statuses: Record<number, number> = {};
  /** Milliseconds of `/me` while the database answers: while nothing is away, and while something is. */
  #calm: number[] = [];
  #troubled: number[] = [];
  #isDatabaseAway = false;
  /** How often the database was taken away: a call can begin before an outage and end after it. */
  #timesTaken = 0;
  /** Names of accounts, texts of notifications and texts of files by id that were answered. */
  readonly accounts: string[] = [];
  readonly messages: string[] = [];
  readonly files = new Map<string, string>();
  /** Cases by the lead whose acceptance made them, and those that were closed. */
  readonly accepted = new Map<string, string>();
  readonly closed: string[] = [];
  readonly #integration = new Integration(this);
  #isStopped = false;
  #count = 0;

  constructor(readonly server: Server, readonly world: World) {}

  get isStopped(): boolean {
    return this.#isStopped;
  }

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
      this.#repeat(100, this.#lead),
      this.#repeat(300, this.#report),
      this.#repeat(500, () => this.#integration.import()),
      this.#repeat(1_500, () => this.#integration.export()),
      this.#repeat(400, () => this.#integration.merge()),
      this.#repeat(200, () => this.#integration.readFeed()),
    ]);
  }

  /** Ends when some stories are whole, and forgets the calls until then: the first ones load code. */
  async warm(): Promise<void> {
    while (!this.#isStopped && (this.closed.length < 3 || !this.#integration.hasBegun)) await pause(50);
    this.takeTimes();
  }

  takeDatabase(): void {
    this.#isDatabaseAway = true;
    this.#timesTaken++;
  }

  /** Ends when the database answers again. */
  async giveDatabaseBack(): Promise<void> {
    while (!this.#isStopped && (await this.call("GET", "/v1/me")).status !== 200) await pause(50);
    this.#isDatabaseAway = false;
  }

  /** Milliseconds that 95 of 100 calls of `/me` take at most. Forgets the calls. */
  takeTimes(): { readonly calm: number; readonly troubled: number } {
    const [calm, troubled] = [p95(this.#calm), p95(this.#troubled)];
    this.#calm = [];
    this.#troubled = [];
    return { calm, troubled };
  }

  async #repeat(wait: number, call: () => Promise<void>): Promise<void> {
    while (!this.#isStopped) {
      await call.call(this);
      await pause(wait);
    }
  }

  async #look(): Promise<void> {
    while (!this.#isStopped) {
      const wasAway = this.#isDatabaseAway;
      const timesTaken = this.#timesTaken;
      const wasCalm = this.away.size === 0;
      const begun = performance.now();
      await this.call("GET", "/v1/me");
      const times = wasCalm && this.away.size === 0 ? this.#calm : this.#troubled;
      if (!wasAway && timesTaken === this.#timesTaken) times.push(performance.now() - begun);
      await pause(20);
    }
  }

  /** Calls once. Every answer is a success or says that the service cannot do it now. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    idempotencyKey?: string,
  ) {
    const headers: Record<string, string> = idempotencyKey ? { "Idempotency-Key": idempotencyKey } : {};
    const reply = await send(
      this.server.url + path,
      method,
      this.world.token,
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
  async write(path: string, body: unknown, method = "POST") {
    const idempotencyKey = `write-${this.#count++}`;
    while (true) {
      const reply = await this.call(method, path, body, idempotencyKey);
      if (reply.status < 300) return reply.body;
      if (this.#isStopped) return null;
      await pause(100);
    }
  }

  /** Checks that each stored file has its content. What was away last may need a moment. */
  async readFiles(): Promise<void> {
    const until = Date.now() + 60_000;
    const there = async (path: string) => {
      while (true) {
        const reply = await this.call("GET", path);
        if (reply.status !== 503) return reply;
        assert.ok(Date.now() < until, `${path} is still 503: ${reply.text}`);
        await pause(200);
      }
    };
    for (const [id, text] of this.files) {
      const { headers } = await there(`/v1/files/${id}/download`);
      const { pathname, search } = new URL(headers.get("location")!, this.server.url);
      assert.equal((await there(pathname + search)).text, text);
    }
  }

  async #account(): Promise<void> {
    const name = `Account ${this.#count}`;
    if (
      await this.write("/v1/accounts", {
        fixed_fields: [{ name: "name", value: name }],
      })
    ) {
      this.accounts.push(name);
    }
  }

  async #notify(): Promise<void> {
    const message = `Message ${this.#count}.`;
    if (
      await this.write("/v1/notifications", {
        message,
        notify: { users: [this.world.user] },
      }) !== null
    ) {
      this.messages.push(message);
    }
  }

  async #file(): Promise<void> {
    const text = `File ${this.#count}`;
    const made = await this.write("/v1/files", {
      name: `${text}.txt`,
      data: btoa(text),
    });
    if (!made) return;
    this.files.set(made.id, text);
    const { headers } = await this.call(
      "GET",
      `/v1/files/${made.id}/download`,
    );
    const location = headers.get("location");
    if (location === null) return;
    const reply = await this.call(
      "GET",
      new URL(location, this.server.url).href.replace(this.server.url, ""),
    );
    if (reply.status === 200) assert.equal(reply.text, text);
  }

  async #print(): Promise<void> {
    await this.call("GET", "/v1/reports/performance/export/pdf");
  }

  /** A lead that becomes a case, which is closed with a mail to its contact. */
  async #lead(): Promise<void> {
    const { lead_type_id, team_id, dealer, sold } = this.world;
    const name = `Customer ${this.#count}`;
    const lead = await this.write("/v1/leads", {
      b2c: false,
      lead_source: "website",
      lead_type_id,
      team_id,
      account: { fixed_fields: nameFields({ name }) },
      contact: { fixed_fields: nameFields({ last_name: name, email: "customer@example.org" }) },
    });
    if (!lead) return;
    const accepted = await this.write(`/v1/leads/${lead.id}/accept`, { user_id: dealer }, "PUT");
    if (!accepted) return;
    this.accepted.set(lead.id, accepted.case_id);
    const activities = `/v1/cases/${accepted.case_id}/activities`;
    const email = { subject: `Sold to ${accepted.case_id}`, content: "<p>Thanks.</p>", send: true };
    const closing = { activity_type_ids: [sold], correspondence: { email } };
    if (await this.write(activities, closing)) this.closed.push(accepted.case_id);
  }

  /** Figures have every change that was answered before. */
  async #report(): Promise<void> {
    const closed = this.closed.length;
    const times = "start_at=2020-01-01 00:00:00&end_at=2100-01-01 00:00:00";
    const { status, body } = await this.call(
      "GET",
      encodeURI(`/v1/reports/metrics?indicators=cases.closed&group_by=company&${times}`),
    );
    if (status === 200) assert.ok(Number(body.data[0].value) >= closed, `${JSON.stringify(body)}, ${closed}`);
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
    const ofLeads = db.prepare("select id, case_id from leads where case_id is not null").all();
    const cases = new Map(ofLeads.map(({ id, case_id }) => [id, case_id]));
    assert.deepEqual([...this.accepted].filter(([id, of]) => cases.get(id) !== of), [], "accepted leads");
    const closed = db.prepare("select id, status from cases where status = 'closed'").all();
    const closedIds = new Set(closed.map(({ id }) => id));
    assert.deepEqual(this.closed.filter((id) => !closedIds.has(id)), [], "closed cases");
    const acts = db.prepare("select case_id, count(*) as n from activities group by 1 having n > 1").all();
    assert.deepEqual(acts, [], "cases with two closing activities");
    this.#integration.check(db);
  }
}

function p95(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? 0;
}
