/** Copies that are kept by the feed and by the stream equal what the API answers, through outages and moves. */
import assert from "node:assert/strict";
import { named } from "../sales/leads_world.ts";
import { type Actor, type Body, startApp, type TestApp, type TestCompany } from "../support/app.ts";
import { eventsOf } from "../support/event_stream.ts";

/** A sequence of numbers from 0 to 1, the same in each run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

class Replica {
  readonly records = new Map<string, Body>();
  readonly sequences = new Map<string, number>();

  take({ event, entity_type, entity_id, sequence, visible, data }: Body): void {
    const key = `${entity_type} ${entity_id}`;
    const before = this.sequences.get(key);
    assert.ok(before === undefined || sequence > before, `${key}: ${sequence} after ${before}`);
    this.sequences.set(key, sequence);
    if (event.endsWith("_deleted") || !visible) this.records.delete(key);
    else if (data) this.records.set(key, data);
  }

  ids(type: string): string[] {
    return [...this.records.keys()].filter((key) => key.startsWith(`${type} `)).map((key) =>
      key.slice(type.length + 1)
    )
      .sort();
  }
}

/** Makes, moves, changes and deletes accounts and contacts, several at once. */
async function write(by: Actor, teams: readonly (number | null)[], seed: number): Promise<void> {
  const random = chance(seed);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
  const accounts: string[] = [];
  for (let n = 0; n < 40; n++) {
    const step = random();
    if (accounts.length < 3 || step < 0.3) {
      const fixed_fields = named({ name: `Ada ${seed} ${n} Ltd` });
      const { status, body, text } = await by.call("POST", "/v1/accounts", {
        team_id: pick(teams),
        fixed_fields,
      });
      assert.equal(status, 201, text);
      accounts.push(body.id);
      await by.call("POST", `/v1/accounts/${body.id}/contacts`, {
        fixed_fields: named({ last_name: `Byron ${n}` }),
      });
    } else if (step < 0.55) await by.call("PUT", `/v1/accounts/${pick(accounts)}`, { team_id: pick(teams) });
    else if (step < 0.9) {
      await by.call("PUT", `/v1/accounts/${pick(accounts)}`, { external_id: `${seed} ${n}` });
    } else {await by.call(
        "DELETE",
        `/v1/accounts/${accounts.splice(Math.floor(random() * accounts.length), 1)[0]}`,
      );}
  }
}

/** Reads the feed to its end, in pages of random sizes; some answers are lost on the way. */
async function follow(by: Actor, replica: Replica, until: () => boolean, seed: number): Promise<void> {
  const random = chance(seed);
  for (let after = "";;) {
    const isLast = until();
    const limit = 1 + Math.floor(random() * 20);
    const wait = random() < 0.5 ? 1 : 0;
    const query = `limit=${limit}&wait=${isLast ? 0 : wait}${after === "" ? "" : `&after=${after}`}`;
    const { status, body, text } = await by.call("GET", `/v1/events?${query}`);
    assert.equal(status, 200, text);
    if (random() < 0.2) continue;
    for (const item of body.data) replica.take(item);
    after = body.next;
    if (isLast && !body.more) return;
  }
}

/** Follows the stream, whose connection is cut again and again. */
async function followStream(
  app: TestApp,
  by: Actor,
  replica: Replica,
  last: () => Promise<string | null>,
): Promise<void> {
  const random = chance(3);
  for (let id: string | null = null;;) {
    const response: Response = await fetch(`${app.url}/v1/events/stream`, {
      headers: { Authorization: `Bearer ${by.token}`, ...(id === null ? {} : { "Last-Event-ID": id }) },
    });
    let left = 1 + Math.floor(random() * 30);
    for await (const event of eventsOf(response)) {
      replica.take(event.data);
      id = event.id;
      if (--left === 0 || id === await last()) break;
    }
    if (id === await last()) return;
  }
}

async function world(app: TestApp): Promise<{ company: TestCompany; teams: number[]; reader: Actor }> {
  const company = await app.company();
  const teams = [await company.team({ name: "North" }), await company.team({ name: "South" })];
  return { company, teams, reader: await company.user({ teams: [teams[0]!], rights: ["webhooks.manage"] }) };
}

async function listed(by: Actor): Promise<Body[]> {
  const all: Body[] = [];
  for (let page = 1;; page++) {
    const { body } = await by.call("GET", `/v1/accounts?per_page=100&page=${page}`);
    all.push(...body.data);
    if (body.data.length < 100) return all;
  }
}

Deno.test("a copy through the feed equals the API, for an admin and for a team that records leave and enter", async () => {
  await using app = await startApp();
  const { company: { admin }, teams, reader } = await world(app);
  const [whole, part] = [new Replica(), new Replica()];
  let isDone = false;
  const writing = Promise.all([1, 2, 3].map((seed) => write(admin, [...teams, null], seed))).then(() =>
    isDone = true
  );
  await Promise.all([
    writing,
    follow(admin, whole, () => isDone, 11),
    follow(reader, part, () => isDone, 12),
  ]);
  for (const [by, replica] of [[admin, whole], [reader, part]] as const) {
    const records = await listed(by);
    assert.deepEqual(replica.ids("account"), records.map(({ id }) => id).sort());
    for (const record of records) {
      const { body } = await by.call("GET", `/v1/accounts/${record.id}`);
      assert.deepEqual(replica.records.get(`account ${record.id}`), body);
    }
  }
  for (const { team_id } of part.records.values()) assert.ok([undefined, null, teams[0]].includes(team_id));
  assert.ok(part.ids("account").length < whole.ids("account").length);
});

Deno.test("a copy through streams that are cut equals the API", async () => {
  await using app = await startApp();
  const { company: { admin }, teams } = await world(app);
  const replica = new Replica();
  let isDone = false;
  const writing = Promise.all([4, 5].map((seed) => write(admin, [...teams, null], seed))).then(() =>
    isDone = true
  );
  let end: string | null = null;
  const last = async () => {
    if (!isDone) return null;
    // The cursor of the last event, once nothing is written any more.
    for (let after = ""; end === null;) {
      const { body } = await admin.call("GET", `/v1/events?limit=500${after}`);
      if (body.more) after = `&after=${body.next}`;
      else end = body.data.at(-1).cursor;
    }
    return end;
  };
  // A last event wakes the stream after the end is known.
  const ending = writing.then(() =>
    admin.call("POST", "/v1/accounts", { fixed_fields: named({ name: "Last Ltd" }) })
  );
  await Promise.all([ending, followStream(app, admin, replica, async () => (await ending, await last()))]);
  assert.deepEqual(replica.ids("account"), (await listed(admin)).map(({ id }) => id).sort());
});
