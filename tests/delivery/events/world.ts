/**
 * A company in which users of every kind subscribe to all events. Checks who receives which event with which
 * bytes. Expectations come from the API, not from the database.
 */
import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { type EventName, eventNames } from "../../../src/core/events.ts";
import { formatTimestamp } from "../../../src/core/time.ts";
import type { Actor, Body, Reply, TestApp } from "../../support/app.ts";
import { type Received, startTarget, type Target } from "../../support/listener.ts";
import { makeSales, type World } from "../../sales/leads_world.ts";

export interface Change {
  /** The caller; null for a timer or a client without a user. */
  readonly by: Actor | null;
  /** The creator of the record, if not the caller. */
  readonly maker?: Actor;
  readonly run: () => Promise<Reply | number>;
  /** Its other events, one per record. */
  readonly also: readonly EventName[];
  /** Paths of the records that it deletes, read before. */
  readonly gone: readonly string[];
}

export type Cause = (world: EventsWorld) => Change | Promise<Change>;

/** Changes that cause the same event, by description. */
export type Causes = Readonly<Record<string, Cause>>;

export interface EventsWorld extends World {
  /** A user of a team of its own, which is none of the world's teams. */
  readonly stranger: Actor;
  readonly far: number;
  /** Creates a record and returns it. */
  make(by: Actor, path: string, body: object): Promise<Body>;
  /** Fields of accounts, contacts, products and teams: for all in the company, and for the dealer alone. */
  readonly custom: Readonly<Record<"account" | "contact" | "product" | "team", object[]>>;
}

const scopes = ["global", "user"] as const;
/** The path of the subscription to all events of the company. */
const everything = "/admin/global";
export const token = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** The events of one change for a subscription. */
interface Reported {
  readonly name: EventName;
  readonly one: Received;
}

/** The path of a record of each kind, by its body; for records without a GET, their list. */
const addresses: Readonly<Record<string, (record: Body, companyId: number) => string>> = {
  account: ({ id }) => `/v1/accounts/${id}`,
  activity: ({ id, case_id }) => `/v1/cases/${case_id}/activities/${id}`,
  case: ({ id }) => `/v1/cases/${id}`,
  contact: ({ id, account }) => `/v1/accounts/${account.id}/contacts/${id}`,
  correspondence: ({ id, case_id }) => `/v1/cases/${case_id}/correspondences/${id}`,
  lead: ({ id }) => `/v1/leads/${id}`,
  note: ({ id }) => `/v1/notes/${id}`,
  product: ({ id }) => `/v1/products/${id}`,
  task: ({ id }) => `/v1/tasks/${id}`,
  team: ({ id }) => `/v1/teams/${id}`,
  timeline_event: ({ case_id }) => `/v1/cases/${case_id}/timeline`,
  user: ({ id }, companyId) => `/v1/companies/${companyId}/users/${id}`,
};

export async function eventsWorld(app: TestApp): Promise<EventsWorld> {
  const sales = await makeSales(app);
  const { company, admin, dealer, agency } = sales;
  const far = await company.team({ name: "Far" });
  const make: EventsWorld["make"] = async (by, path, body) => {
    const reply = await by.call("POST", path, body);
    assert.equal(reply.status, 201, `${path}: ${reply.text}`);
    return reply.body;
  };
  const custom = {
    account: [] as object[],
    contact: [] as object[],
    product: [] as object[],
    team: [] as object[],
  };
  for (const [owner, values] of Object.entries(custom)) {
    for (const [label, team_id] of [["Everybody's", null], ["Dealer's", dealer]] as const) {
      const { name } = await make(admin, `/v1/fields/${owner}`, { label, type: "text", team_id });
      values.push({ name, value: `${label} „${owner}“` });
    }
  }
  const rights = ["webhooks.manage" as const];
  return {
    ...sales,
    far,
    make,
    custom,
    member: await company.user({ teams: [dealer], rights }),
    agent: await company.user({ teams: [agency], rights: [...rights, "agency"] }),
    stranger: await company.user({ teams: [far], rights }),
  };
}

/** The subscriptions of a world, all to one listener under paths of their own. */
export class Subscribed {
  readonly #target: Target;
  readonly #sequences = new Map<string, number>();
  /** Who caused the first event of a record. */
  readonly #creators = new Map<string, string | null>();
  readonly #deliveries = new Set<string>();
  readonly #users: Readonly<Record<string, Actor>>;

  private constructor(readonly world: EventsWorld, target: Target) {
    this.#target = target;
    const { admin, member, agent, stranger } = world;
    this.#users = { admin, member, agent, stranger };
  }

  static async to(world: EventsWorld): Promise<Subscribed> {
    const all = new Subscribed(world, startTarget({ path: "" }));
    const url = all.#target.url;
    for (const [name, user] of Object.entries(all.#users)) {
      for (const scope of scopes) {
        await world.make(user, "/v1/webhooks", {
          target_url: `${url}/${name}/${scope}`,
          webhook_event: "*",
          verification_token: token,
          scope,
        });
      }
    }
    for (const name of eventNames) {
      await world.make(world.admin, "/v1/webhooks", {
        target_url: `${url}/only/${name}`,
        webhook_event: name,
      });
    }
    return all;
  }

  /**
   * Makes the change and compares everything sent with the API right after the change, or right before for
   * deleted records.
   */
  async check(event: EventName, cause: Cause): Promise<void> {
    const { app } = this.world;
    const change = await cause(this.world);
    await this.#received();
    const before = new Map<string, Map<string, Reply>>();
    for (const address of change.gone) before.set(address, await this.#read(address));
    const done = await change.run();
    assert.ok(
      typeof done === "number" ? done > 0 : done.status < 300,
      `${typeof done === "number" ? done : done.text}`,
    );
    const reported = await this.#received();
    const all = report(reported.get(everything) ?? []);
    assert.deepEqual(all.map(({ name }) => name).sort(), [event, ...change.also].sort());
    for (const { name, one } of all) {
      const record = JSON.parse(one.text);
      const address = locateRecord(name, record, this.world.company.id);
      const gone = name.endsWith("_deleted");
      if (name === event && change.maker) this.#creators.set(makeKey(name, one), String(change.maker.id));
      const seen = gone ? before.get(address) : await this.#read(address);
      assert.ok(seen, `${name} of ${address}, which is not declared as deleted`);
      for (const [user, reply] of seen) {
        const expected = reply.status === 200 ? readAt(name, record.id, reply) : null;
        for (const scope of scopes) {
          const path = `/${user}/${scope}`;
          const mine = report(reported.get(path) ?? []).filter((each) =>
            each.name === name && sameRecord(each.one, one)
          );
          const wanted = expected !== null && (scope === "global" || this.#isCreator(user, name, record.id));
          assert.deepEqual(mine.map((each) => each.one.text), wanted ? [expected] : [], `${name} at ${path}`);
          for (const { one: sent } of mine) this.#checkHeaders(sent, name, change.by, one);
        }
      }
      const only = report(reported.get(`/only/${name}`) ?? []);
      assert.ok(only.some((each) => sameRecord(each.one, one) && each.one.text === one.text));
    }
    this.#checkNothingElse(reported, all);
    assert.ok(app.log.entries.every(({ level }) => level !== "error"));
  }

  async close(): Promise<void> {
    await this.#target.close();
  }

  /**
   * Requests since the last call, by path of the subscription and in the order of their sequence: requests that
   * are sent at once arrive in any order.
   */
  async #received(): Promise<Map<string, Received[]>> {
    await this.world.app.idle();
    const received = this.#target.received.toSorted((one, other) => readSequence(one) - readSequence(other));
    const reported = Map.groupBy(received, ({ path }) => path);
    this.#target.clear();
    for (const { name, one } of report(reported.get(everything) ?? [])) this.#checkSequence(name, one);
    return reported;
  }

  /** Returns what each user reads at the address. */
  async #read(address: string): Promise<Map<string, Reply>> {
    const replies = new Map<string, Reply>();
    for (const [name, user] of Object.entries(this.#users)) {
      const reply = await user.call("GET", address);
      assert.ok(reply.status === 200 || reply.status === 404, `${address}: ${reply.text}`);
      replies.set(name, reply);
    }
    return replies;
  }

  /** Nobody receives an event that the admin does not, and a subscription to one event receives only that. */
  #checkNothingElse(reported: Map<string, Received[]>, all: readonly Reported[]): void {
    for (const [path, received] of reported) {
      const [, who, what] = path.split("/");
      for (const { name, one } of report(received)) {
        if (who === "only") assert.equal(name, what);
        assert.ok(all.some((each) => each.name === name && sameRecord(each.one, one)), `${name} at ${path}`);
      }
    }
  }

  #checkSequence(name: EventName, one: Received): void {
    const key = makeKey(name, one);
    const sequence = (this.#sequences.get(key) ?? 0) + 1;
    if (name.endsWith("_created")) this.#creators.set(key, one.headers.get("x-service-executor-user"));
    this.#sequences.set(key, sequence);
    assert.equal(one.headers.get("x-service-sequence"), String(sequence), key);
  }

  #isCreator(user: string, name: EventName, id: string | number): boolean {
    return this.#creators.get(`${getEntity(name)} ${id}`) === String(this.#users[user]!.id);
  }

  #checkHeaders(
    { method, headers, text }: Received,
    name: EventName,
    by: Actor | null,
    first: Received,
  ): void {
    const now = this.world.app.clock.now();
    const delivery = headers.get("x-service-delivery")!;
    assert.match(delivery, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.ok(!this.#deliveries.has(delivery), "a delivery arrived twice");
    this.#deliveries.add(delivery);
    const seconds = Math.floor(now / 1000);
    const key = Uint8Array.from(atob(token.slice("whsec_".length)), (character) => character.charCodeAt(0));
    const signed = createHmac("sha256", key).update(`${delivery}.${seconds}.${text}`).digest("base64");
    const sent = Object.fromEntries(headers);
    for (const name of ["host", "connection", "accept", "accept-encoding"]) delete sent[name];
    assert.equal(method, "POST");
    assert.deepEqual(sent, {
      "content-type": "application/json",
      "content-length": String(new TextEncoder().encode(text).length),
      "user-agent": "Wayline-CRM/1.0",
      "x-timestamp": formatTimestamp(now),
      "x-service-event": name,
      "x-service-sequence": first.headers.get("x-service-sequence"),
      "x-service-delivery": delivery,
      ...(by === null ? {} : { "x-service-executor-user": String(by.id) }),
      "x-service-verification-hash": createHash("sha1").update(text + token).digest("hex"),
      "webhook-id": delivery,
      "webhook-timestamp": String(seconds),
      "webhook-signature": `v1,${signed}`,
    });
  }
}

function report(received: readonly Received[]): Reported[] {
  return received.map((one) => ({ name: one.headers.get("x-service-event") as EventName, one }));
}

function readSequence({ headers }: Received): number {
  return Number(headers.get("x-service-sequence"));
}

function getEntity(name: EventName): string {
  return name.slice(0, name.lastIndexOf("_"));
}

function makeKey(name: EventName, { text }: Received): string {
  return `${getEntity(name)} ${JSON.parse(text).id}`;
}

function sameRecord(one: Received, other: Received): boolean {
  return JSON.parse(one.text).id === JSON.parse(other.text).id;
}

/** Where the record of an event is read, by the body of the event. */
export function locateRecord(name: EventName, record: Body, companyId: number): string {
  return addresses[getEntity(name)]!(record, companyId);
}

/** The bytes of the record's GET, or of its item in a list. */
export function readAt(name: EventName, id: string, { text, body }: Reply): string {
  if (!Array.isArray(body.data)) return text;
  const item = JSON.stringify(body.data.find((each: Body) => each.id === id).data);
  assert.ok(text.includes(item), `${name}: the list has another value`);
  return item;
}
