/**
 * Copies that are kept by the feed and by the stream equal what the API answers, while two processes write, records move
 * between teams, and readers are away. `REPLICA_STEPS` makes the test larger.
 */
import assert from "node:assert/strict";
import { formatTimestamp } from "../../src/core/time.ts";
import { makeSales, type World } from "../sales/leads_world.ts";
import { type Actor, type Body, send, startApp, type TestApp } from "../support/app.ts";
import { readStreamEvents } from "../support/event_stream.ts";
import { KilledService, waitUntil } from "./killed.ts";
import { Copy, readAll } from "./replica_copy.ts";
import { type Call, emptyPool, makeChance, write } from "./replica_writers.ts";

/** Changes of each writer in a round. */
const steps = Number(Deno.env.get("REPLICA_STEPS") ?? 20);
const rounds = 2;

/** The addresses of the processes; the second is null while it is away. */
interface Processes {
  readonly urls: () => readonly string[];
}

interface Reader {
  readonly by: Actor;
  readonly copy: Copy;
  /** Reads until nothing is left once `isOver`. */
  readonly follow: (isOver: () => boolean) => Promise<void>;
}

/** Reads pages of random sizes from either process. Answers are lost, and what was kept since a while. */
function feedReader({ urls }: Processes, by: Actor, copy: Copy, seed: number): Reader {
  const random = makeChance(seed);
  let after = "";
  let kept = { ...copy.keep(), after };
  const follow = async (isOver: () => boolean) => {
    for (;;) {
      const isLast = isOver();
      const step = random();
      if (!isLast && step < 0.1) {
        copy.restore(kept);
        after = kept.after;
      } else if (step < 0.3) kept = { ...copy.keep(), after };
      const limit = 1 + Math.floor(random() * 30);
      const wait = !isLast && random() < 0.5 ? 1 : 0;
      const url = urls()[Math.floor(random() * urls().length)]!;
      const query = `limit=${limit}&wait=${wait}${after === "" ? "" : `&after=${after}`}`;
      // A process that is killed meanwhile does not answer.
      const reply = await send(`${url}/v1/events?${query}`, "GET", by.token).catch((error) => {
        if (error instanceof TypeError) return null;
        throw error;
      });
      if (reply === null) continue;
      const { status, body, text } = reply;
      assert.equal(status, 200, text);
      if (random() < 0.2) continue;
      for (const item of body.data) await copy.take(item, (path) => readAll(by, path));
      after = body.next;
      if (isLast && !body.more) return;
    }
  };
  return { by, copy, follow };
}

/** Follows the stream of either process, whose connection is cut again and again. */
function streamReader({ urls }: Processes, by: Actor, copy: Copy, seed: number): Reader {
  const random = makeChance(seed);
  let id: string | null = null;
  /** Whether the feed has nothing more for the reader. */
  const isAtEnd = async () => {
    const { body } = await by.call("GET", `/v1/events?limit=1${id === null ? "" : `&after=${id}`}`);
    return body.data.length === 0 && !body.more;
  };
  const follow = async (isOver: () => boolean) => {
    while (!isOver() || !await isAtEnd()) {
      const cut = new AbortController();
      const timer = setTimeout(() => cut.abort(), 50 + random() * 400);
      let left = 1 + Math.floor(random() * 40);
      try {
        const response = await fetch(`${urls()[Math.floor(random() * urls().length)]}/v1/events/stream`, {
          headers: { Authorization: `Bearer ${by.token}`, ...(id === null ? {} : { "Last-Event-ID": id }) },
          signal: cut.signal,
        });
        assert.equal(response.status, 200);
        for await (const event of readStreamEvents(response)) {
          await copy.take(event.data, (path) => readAll(by, path));
          id = event.id;
          if (--left === 0) break;
        }
      } catch (error) {
        // Cut in the middle, or the process was killed.
        if (!(error instanceof TypeError || (error as Error).name === "AbortError")) throw error;
      } finally {
        clearTimeout(timer);
        cut.abort();
      }
    }
  };
  return { by, copy, follow };
}

type MakeReader = typeof feedReader;

/** Lets two processes write, one of which is killed and comes back, while an admin, a member and an agency read. */
async function prove(makeReader: MakeReader, seed: number): Promise<void> {
  await using app = await startApp();
  const place = await makeSales(app, { escalation_accept: 3, escalation_activity: 4 });
  await using service = new KilledService(app, 0);
  await service.start();
  const processes = { urls: () => [app.url, ...(service.url === null ? [] : [service.url])] };
  const readers = await makeReaders(place, (by, copy, n) => makeReader(processes, by, copy, seed + n));
  const south = await place.company.team({ name: "South", team_type: "dealer" });
  const teams = [place.dealer, south, null];
  const members = [place.member.id, (await place.company.user({ teams: [south] })).id];
  const pool = emptyPool();
  const here: Call = (method, path, body) => place.admin.call(method, path, body);
  const there: Call = async (method, path, body) => {
    await waitUntil(() => service.url !== null, 30_000);
    return await service.callOrDie(place.admin, method, path, body);
  };
  for (let round = 0; round < rounds; round++) {
    let isOver = false;
    const half = pool.tried + steps * 2;
    const writing = [here, here, there, there].map((call, n) =>
      write(place, call, pool, { teams, members, seed: seed * 100 + round * 10 + n + 1, steps })
    );
    const reading = readers.map(({ follow }) => follow(() => isOver));
    const running = async () => {
      // The process dies in the middle of its writers' calls. It comes back after the time in which leads are accepted.
      await waitUntil(() => pool.tried >= half, 60_000);
      await service.kill();
      await service.start();
      await Promise.all(writing);
      await waitUntil(async () => await dueLeads(app) === 0, 60_000);
    };
    await Promise.all([...writing, running().finally(() => isOver = true), ...reading]);
    for (const { copy } of readers) await copy.check();
  }
  const [whole, ...parts] = readers.map(({ copy }) => copy);
  for (const part of parts) assert.ok(part.size < whole!.size);
  const events = (await readAllEvents(place.admin)).map(({ event }) => event);
  const needed = ["lead_escalated", "lead_accepted", "lead_assigned", "case_updated", "contact_updated"];
  assert.deepEqual(needed.filter((event) => !events.includes(event)), []);
}

async function dueLeads(app: TestApp): Promise<number> {
  const at = formatTimestamp(app.clock.now());
  return Number((await app.sql("select count(*) as n from leads where escalates_at <= ?", at))[0]!.n);
}

async function readAllEvents(by: Actor): Promise<Body[]> {
  const all: Body[] = [];
  for (let after = "";;) {
    const { body } = await by.call("GET", `/v1/events?limit=500${after}`);
    all.push(...body.data);
    if (!body.more) return all;
    after = `&after=${body.next}`;
  }
}

/** An admin, who sees all; a member, who sees a team's records; an agency, which sees its leads. */
async function makeReaders(
  { admin, company, dealer, agency }: World,
  make: (by: Actor, copy: Copy, n: number) => Reader,
): Promise<Reader[]> {
  const member = await company.user({ teams: [dealer], rights: ["webhooks.manage"] });
  const agent = await company.user({ teams: [agency], rights: ["webhooks.manage", "agency"] });
  /** The teams of others are hidden; what a contact, a note or a task belongs to says its team. */
  const sees = (team: number, isAgency: boolean) => (type: string, record: Body) =>
    type === "lead"
      ? record.team_id === team || (isAgency && record.agency_team_id === team)
      : ["account", "case"].includes(type)
      ? record.team_id === null || record.team_id === team
      : true;
  return [
    make(admin, new Copy(admin, { isWhole: true, sees: () => true }), 1),
    make(member, new Copy(member, { isWhole: false, sees: sees(dealer, false) }), 2),
    make(agent, new Copy(agent, { isWhole: false, sees: sees(agency, true) }), 3),
  ];
}

Deno.test("copies by the feed equal the API for an admin, a team and an agency, through outages of readers and a process", async () => {
  await prove(feedReader, 1);
});

Deno.test("copies by streams that are cut equal the API", async () => {
  await prove(streamReader, 2);
});
