/** One walk through the API. The laws are checked after each step. */
import assert from "node:assert/strict";
import { runJobs } from "../../../src/jobs.ts";
import type { Body, Reply, TestApp } from "../../support/app.ts";
import type { Target } from "../../support/listener.ts";
import { audit } from "./audit.ts";
import { beginnings, type Call, deeds, type Draw, type Scene } from "./deeds.ts";
import { LeadLife } from "./leads.ts";
import { type Kind, makeKey, Mirror, takeOwnParts } from "./mirror.ts";
import { type Event, type Observer, parse } from "./observe.ts";
import { type Company, newCompanies, type Person } from "./people.ts";
import { seesBody } from "./sight.ts";

export type Step =
  | { readonly what: "jobs"; readonly minutes: number }
  | { readonly what: "pause"; readonly who: number }
  | ({ readonly what: "deed"; readonly deed: string; readonly how: "plain" | "twice" | "stale" } & Draw);

/** A company with its records and leads according to the events. */
export interface Known {
  readonly company: Company;
  readonly mirror: Mirror;
  readonly leads: Map<string, LeadLife>;
}

export class Walk {
  readonly people: Person[];
  /** A log of answers and events, printed with a broken law. */
  readonly trace: string[] = [];
  /** The actions that succeeded. */
  readonly done = new Set<string>();
  readonly etags = new Map<string, string>();
  /** Deliveries that active subscriptions must receive, by id. */
  readonly #due = new Map<string, string>();
  #keys = 0;
  #steps = 0;

  private constructor(
    readonly app: TestApp,
    readonly observer: Observer,
    readonly target: Target,
    readonly known: readonly Known[],
  ) {
    this.people = known.flatMap(({ company }) => company.people);
  }

  static async start(app: TestApp, observer: Observer, target: Target): Promise<Walk> {
    const companies = await newCompanies(app, target);
    const known = companies.map((company) => ({ company, mirror: new Mirror(), leads: new Map() }));
    const walk = new Walk(app, observer, target, known);
    observer.news();
    target.clear();
    for (const { company, mirror } of known) {
      const { admin, id } = company.test;
      for (const [kind, path] of [["team", "/v1/teams"], ["user", `/v1/companies/${id}/users`]] as const) {
        for (const body of (await admin.call("GET", path)).body.data) {
          const { text } = await admin.call("GET", `${path}/${body.id}`);
          mirror.put({ kind, id: body.id, body: parse(text), text });
        }
      }
    }
    return walk;
  }

  /** Makes a step. Compares everything after each `every` steps. */
  async step(step: Step, every: number): Promise<void> {
    this.app.clock.move(1000);
    this.#steps++;
    if (step.what === "jobs") await this.#jobs(step.minutes);
    else if (step.what === "pause") await this.#pause(step.who);
    else await this.#deed(step);
    if (this.#steps % every === 0) await this.audit(this.#steps / every);
  }

  async audit(turn: number): Promise<void> {
    for (const known of this.known) await audit(this, known, turn);
  }

  /** Compares everything a last time, and the received deliveries with the expected ones. */
  async end(): Promise<void> {
    await this.audit(0);
    await this.app.idle();
    // Ignores earlier walks, whose leads timers still move.
    const paths = new Set(this.people.map(({ hook }) => hook.path));
    const received = this.target.received.filter(({ path }) => paths.has(path));
    const came = received.map(({ headers, text }) => [headers.get("x-service-delivery")!, text]);
    assert.equal(came.length, this.#due.size, "each delivery arrives once");
    for (const [id, text] of came) assert.equal(text, this.#due.get(id!), `delivery ${id}`);
    this.target.clear();
  }

  knownOf({ company }: Person): Known {
    return this.known.find((each) => each.company === company)!;
  }

  // ---- steps

  async #deed(step: Step & { what: "deed" }): Promise<void> {
    const person = this.people[step.who % this.people.length]!;
    const { company, mirror, leads } = this.knownOf(person);
    const strange = step.record % 29 === 28 ? this.known.find((each) => each.company !== company)! : null;
    const scene: Scene = {
      person,
      company,
      leads,
      pick(kind, at) {
        const all = (strange ?? { mirror }).mirror.of(kind);
        return all[at % all.length];
      },
      find: (kind, id) => mirror.records.get(makeKey(kind, id)),
      leadsIn: (caseId) =>
        mirror.of("lead").filter(({ body }) => body.case_id === caseId).map(({ id }) => String(id)),
      memberOf: (team) =>
        company.people.find(({ actor }) =>
          mirror.get("user", actor.id)!.teams.some(({ id }: Body) => id === team)
        )?.actor.id,
    };
    const call = deeds[step.deed]![1](scene, step) ?? beginnings[step.way % beginnings.length]!(scene, step);
    if (!call) return;
    const visible = call.about === null || this.sees(person, ...call.about, mirror);
    const headers: Record<string, string> = {};
    if (step.how === "twice") headers["Idempotency-Key"] = `step-${this.#keys++}`;
    const stale = step.how === "stale" && call.about !== null && call.method !== "POST";
    if (stale) headers["If-Match"] = '"stale"';
    const impact = call.method === "DELETE" ? await this.#impact(call, company) : null;
    const version = this.observer.version();
    const send = () => person.actor.call(call.method, call.path, call.body, headers);
    const reply = await send();
    await this.app.idle();
    const events = this.observer.news();
    const did = `${person.name}: ${call.method} ${call.path} ${JSON.stringify(call.body ?? null)} ` +
      `${reply.status}${reply.status < 300 ? "" : ` ${reply.body?.code} ${reply.body?.detail}`}`;
    this.note(did, events);
    assert.ok(reply.status < 500, reply.text);
    if (reply.status >= 300) {
      assert.deepEqual(events.map(({ name }) => name), [], "a refused call sends nothing");
      assert.equal(this.observer.version(), version, "a refused call writes nothing");
      if (visible && call.about) assert.notEqual(reply.status, 404, "a visible record is found");
      const { code } = reply.body;
      if (call.legal !== false) assert.ok(code !== "lead_state" && code !== "case_state", `${code} is wrong`);
      return;
    }
    this.done.add(step.deed);
    assert.ok(visible, "a caller cannot change an invisible record");
    assert.ok(call.legal !== false, "the state allows it");
    assert.ok(!stale, "a stale If-Match is refused");
    for (const [id, move] of call.moves ?? []) leads.get(id)?.move(move, this.app.clock.now());
    const before = this.#apply(company, events);
    // A PUT of what is there already changes nothing, so that it sends nothing. A kept answer is a write.
    const isUnchanged = call.method === "PUT" && events.length === 0 &&
      !call.moves?.some(([, move]) => move !== "update");
    if (isUnchanged && step.how === "plain") {
      assert.equal(this.observer.version(), version, "a PUT without an event writes nothing");
    }
    const expected = isUnchanged || reply.body === undefined ? [] : call.events(reply.body);
    this.#expect(events, expected, call, before);
    if (call.method === "DELETE") this.#expect(events, call.events(undefined), call, before);
    this.#removed(events, before, impact);
    await this.#check(person, events, before, reply);
    if (step.how !== "twice") return;
    const now = this.observer.version();
    const again = await send();
    await this.app.idle();
    assert.equal(again.headers.get("Idempotent-Replayed"), "true");
    assert.deepEqual([again.status, again.text], [reply.status, reply.text], "a replay equals the answer");
    assert.deepEqual(this.observer.news(), [], "a replay sends nothing");
    assert.equal(this.observer.version(), now, "a replay writes nothing");
  }

  async #jobs(minutes: number): Promise<void> {
    this.app.clock.move(minutes * 60_000);
    const now = this.app.clock.now();
    assert.deepEqual(await runJobs(this.app.deps, now), []);
    await this.app.idle();
    const all = this.observer.news();
    this.note(`jobs ${minutes} minutes later`, all);
    for (const { company, leads } of this.known) {
      const events = all.filter((event) => event.company === company.test.id);
      const expected: string[] = [];
      for (const [id, life] of leads) {
        if (life.due === null || life.due > now) continue;
        life.move("due", now);
        expected.push(`${life.state === "revoked" ? "lead_updated" : "lead_escalated"} ${id}`);
      }
      const before = this.#apply(company, events);
      this.#expect(events, expected, null, before);
      await this.#check(company.people[0]!, events, before, null);
    }
  }

  async #pause(who: number): Promise<void> {
    const { actor, hook, name } = this.people[who % this.people.length]!;
    hook.paused = !hook.paused;
    const reply = await actor.call("PUT", `/v1/webhooks/${hook.id}`, { paused: hook.paused });
    assert.equal(reply.status, 200, reply.text);
    await this.app.idle();
    this.note(`${name}: paused ${hook.paused}`, this.observer.news());
  }

  // ---- laws

  /** Applies the events to the mirror and returns the state before. */
  #apply(company: Company, events: readonly Event[]): Mirror {
    const { mirror, leads } = this.known.find((each) => each.company === company)!;
    const before = mirror.copy();
    for (const { name, kind, id, body, text } of events) {
      if (name.endsWith("_deleted")) {
        mirror.remove(kind, id);
        if (kind === "lead") leads.delete(id);
        if (kind === "case") mirror.forgetOn(id);
        continue;
      }
      mirror.put({ kind, id: body.id, body, text });
      if (name === "lead_created") {
        leads.set(id, new LeadLife(body.team_id === null ? "assignable" : "assigned", this.app.clock.now()));
      }
    }
    return before;
  }

  /**
   * Checks that each expected event happened once. Any other event must be about a record that changed or
   * ended with another record.
   */
  #expect(events: readonly Event[], expected: readonly string[], call: Call | null, before: Mirror): void {
    const happened = events.map(({ name, id }) => `${name} ${id}`);
    assert.equal(new Set(happened).size, happened.length, `an event happened twice: ${happened}`);
    const named = expected.map((each) => {
      const [name, id] = each.split(" ");
      if (!name!.endsWith("_*")) return each;
      const kind = name!.slice(0, -2) as Kind;
      return `${kind}_${before.get(kind, id) ? "updated" : "created"} ${id}`;
    });
    const optional = named.includes("-");
    for (const each of named) {
      if (each !== "-" && !optional) assert.ok(happened.includes(each), `${each} is missing: ${happened}`);
    }
    for (const { name, kind, id, body } of events) {
      if (named.includes(`${name} ${id}`) || name.endsWith("_deleted")) continue;
      const was = before.get(kind, id);
      assert.ok(was && name.endsWith("_updated"), `${name} ${id} after ${call?.method} ${call?.path}`);
      assert.notEqual(takeOwnParts(kind, body), takeOwnParts(kind, was), `${name} ${id} changes nothing`);
    }
  }

  /**
   * Checks that a record which ends with another belongs to a record that ends, and that no remaining record
   * refers to one that ended.
   */
  #removed(events: readonly Event[], before: Mirror, impact: Record<string, number> | null): void {
    const gone = events.filter(({ name }) => name.endsWith("_deleted"));
    if (gone.length === 0) return;
    const ended = new Set(gone.map(({ kind, id }) => makeKey(kind, id)));
    for (const { kind, id } of gone.slice(0, -1)) {
      const owners = listOwners(kind, before.get(kind, id));
      assert.ok(owners.some((owner) => ended.has(owner)), `${kind} ${id} ends, but none of ${owners} does`);
    }
    const { mirror } = this.known.find(({ company }) => company.test.id === gone[0]!.company)!;
    for (const { kind, id, body } of mirror.records.values()) {
      const left = listOwners(kind, body).filter((owner) => ended.has(owner));
      assert.deepEqual(left, [], `${kind} ${id} stays, but refers to an ended record`);
    }
    if (!impact) return;
    const counts: Record<string, number> = {};
    for (const { kind } of gone.slice(0, -1)) counts[kind] = (counts[kind] ?? 0) + 1;
    assert.deepEqual(counts, impact, "delete-impact counts what goes");
  }

  /**
   * Checks that each record equals its last event for the users who received the event, and is 404 for the
   * others.
   */
  async #check(by: Person, events: readonly Event[], before: Mirror, reply: Reply | null): Promise<void> {
    const { company, mirror } = this.knownOf(by);
    const last = new Map(events.map((event) => [makeKey(event.kind, event.id), event]));
    for (const event of events) {
      const then = event.name.endsWith("_deleted") ? before : mirror;
      for (const person of this.people) {
        const wanted = person.company === company && this.sees(person, event.kind, event.id, then);
        const { id, paused } = person.hook;
        const delivery = event.deliveries.get(id);
        assert.equal(delivery !== undefined, wanted, `${event.name} ${event.id} reaches ${person.name}`);
        if (!delivery) continue;
        assert.equal(delivery.missed, paused, `${event.name} is missed while paused`);
        if (!paused) this.#due.set(delivery.id, event.text);
      }
    }
    for (const [key, event] of last) {
      const { kind, id, text, name } = event;
      const address = locateRecord(kind, event.body, company);
      if (address === null) continue;
      const gone = name.endsWith("_deleted");
      for (const person of new Set([company.people[0]!, by])) {
        const read = await person.actor.call("GET", address);
        const seen = !gone && this.sees(person, kind, id, mirror);
        assert.equal(read.status, seen ? 200 : 404, `${person.name} reads ${key}`);
        if (!seen) continue;
        const equal: string = `GET ${address} equals its event`;
        if (read.text !== text && losesName(event, events)) {
          assert.equal(takeOwnParts(kind, parse(read.text)), takeOwnParts(kind, event.body), equal);
        } else {
          if (read.text !== text) assert.deepEqual(parse(read.text), event.body, equal);
          assert.equal(read.text, text, equal);
        }
        this.checkTag(key, read);
      }
      if (!gone && reply?.body?.id === event.body.id && reply!.text.length === text.length) {
        assert.equal(reply!.text, text, "the answer equals the event");
      }
      if (!gone && !losesName(event, events)) mirror.hold(kind, event.body, name);
      const life = kind === "lead" && !gone && this.knownOf(by).leads.get(id);
      if (life) assert.equal(event.body.status, life.status, `the status of ${key}`);
    }
  }

  /** Checks that two bodies are equal exactly when their ETags are. */
  checkTag(key: string, { headers, text }: Reply): void {
    const tag = headers.get("etag");
    assert.ok(tag, `${key} has no ETag`);
    const known = this.etags.get(`${key} ${tag}`);
    assert.ok(known === undefined || known === text, `one ETag of two bodies of ${key}`);
    const other = this.etags.get(`${key} ${text}`);
    assert.ok(other === undefined || other === tag, `two ETags of one body of ${key}`);
    this.etags.set(`${key} ${tag}`, text);
    this.etags.set(`${key} ${text}`, tag);
  }

  sees(person: Person, kind: Kind, id: string | number, mirror: Mirror): boolean {
    return seesBody(person, kind, mirror.get(kind, id), mirror);
  }

  async #impact({ path, about }: Call, company: Company): Promise<Record<string, number> | null> {
    if (about?.[0] !== "account" && about?.[0] !== "contact") return null;
    const reply = await company.test.admin.call("GET", `${path}/delete-impact`);
    if (reply.status !== 200) return null;
    const evented = reply.body.deletes.filter(({ type }: Body) =>
      type !== "activity" && type !== "timeline_event"
    );
    return Object.fromEntries(evented.map(({ type, amount }: Body) => [type, amount]));
  }

  note(what: string, events: readonly Event[]): void {
    const observed = events.map(({ name, id }) => `${name} ${id}`);
    this.trace.push(`${what}${observed.length ? `\n      ${observed.join("\n      ")}` : ""}`);
  }
}

/** Returns the path of a record, or null for an event of a timeline, which only lists show. */
export function locateRecord(kind: Kind, { id, case_id }: Body, company: Company): string | null {
  switch (kind) {
    case "timeline_event":
      return null;
    case "activity":
      return `/v1/cases/${case_id}/activities/${id}`;
    case "user":
      return `/v1/companies/${company.test.id}/users/${id}`;
    default:
      return `/v1/${kind}s/${id}`;
  }
}

/** Returns the keys of the records whose deletion also deletes this one. */
function listOwners(kind: Kind, body: Body): string[] {
  const of = (kind: Kind, id: unknown) => id === null || id === undefined ? [] : [makeKey(kind, String(id))];
  switch (kind) {
    case "contact":
      return of("account", body.account.id);
    case "case":
      return [...of("account", body.account.id), ...of("contact", body.contact.id)];
    case "lead":
      return [...of("account", body.account_id), ...of("contact", body.contact_id)];
    case "note":
      return [
        ...of("case", body.case_id),
        ...of("contact", body.contact_id),
        ...of("account", body.account_id),
      ];
    case "task":
      return of("case", body.case_id);
    default:
      return [];
  }
}

/**
 * Returns true if the call deletes a contact and a later event of the call changes an account that the record
 * shows: the account of a consumer loses its name. Records that show an account get no event for changes of
 * the account.
 */
function losesName(event: Event, events: readonly Event[]): boolean {
  return events.some(({ name }) => name === "contact_deleted") &&
    events.slice(events.indexOf(event) + 1).some(({ name, id }) =>
      name === "account_updated" && event.text.includes(`"${id}"`)
    );
}
