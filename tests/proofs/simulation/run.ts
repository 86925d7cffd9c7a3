/** Plays histories on the service and compares every answer and record with the model. */
import assert from "node:assert/strict";
import type { Body, TestApp } from "../../support/app.ts";
import { formatMoment } from "./calendar.ts";
import { ask, type Company, foundCompany, inWords } from "./company.ts";
import { makeDeed, meet } from "./deeds.ts";
import { agreesWithModel, explain, type Found, type Happened } from "./explain.ts";
import { lookAround, readLeadEvents } from "./final.ts";
import type { Histories, Round, Try } from "./histories.ts";
import { forget, isDue, isExpired, leadRecord, makeEmptyState, perform, type State } from "./model.ts";
import { serve, type Server } from "./servers.ts";

interface Played {
  readonly company: Company;
  state: State;
}

/** Two servers; one may restart at any time. */
export class Servers {
  private constructor(readonly app: TestApp, readonly both: [Server, Server]) {}

  static async of(app: TestApp): Promise<Servers> {
    return new Servers(app, [await serve(app), await serve(app)]);
  }

  async restart(which: 0 | 1): Promise<void> {
    await this.both[which].close();
    this.both[which] = await serve(this.app);
  }

  async close(): Promise<void> {
    for (const server of this.both) await server.close();
  }
}

export async function play(
  app: TestApp,
  servers: Servers,
  { start, rounds, companies }: Histories,
): Promise<void> {
  app.clock.set(start);
  const all: Played[] = [];
  for (const { plan } of companies) {
    all.push({ company: await foundCompany(app, plan, servers.both[0].ask), state: makeEmptyState(plan) });
  }
  for (const [number, round] of rounds.entries()) {
    if (round.restart !== null) await servers.restart(round.restart);
    move(app, round.move, all);
    const now = app.clock.now();
    if (round.timers === "killed") await die(app, servers, all, round, now);
    await together(servers, all, companies.map(({ tries }) => tries[number] ?? []), round, now);
  }
  for (const played of all) {
    const { company, state } = played;
    const now = app.clock.now();
    const server = servers.both[1];
    const seen = {
      records: await readRecords(played, server),
      statuses: await readStatuses(played, server),
      events: null,
    };
    assert.ok(agreesWithModel(company, state, now, seen), tale(played, [], now, seen));
    await lookAround(app, company, state, now, server.ask);
  }
  // Countdowns of these histories must not end during the next ones.
  await app.deps.db.write([{ sql: "update leads set escalates_at = null, expires_at = null", args: [] }]);
}

function move(app: TestApp, how: Round["move"], all: readonly Played[]): void {
  if ("by" in how) return app.clock.move(how.by * 1000);
  const ends = all.flatMap(({ state }) => [...state.leads.values()]).flatMap(({ due }) => due ?? []).sort();
  const end = ends[how.due % Math.max(1, ends.length)];
  if (end !== undefined) app.clock.set(end + how.and * 1000);
}

/** Kills a runner: some due leads have moved once, and the others are still due. */
async function die(
  app: TestApp,
  { both }: Servers,
  all: Played[],
  { death }: Round,
  now: number,
): Promise<void> {
  app.log.entries.length = 0;
  const failed = await both[0].killed(death >> 1, death % 2 === 1);
  const aged = failed.some((job) => ["age", "hideExpired"].includes(job)) ? null : await agedTo(app);
  for (const played of all) {
    const { company, state } = played;
    const due = [...state.leads].filter(([, lead]) => isDue(lead, now));
    if (aged !== null) forget(state, aged);
    if (due.length === 0) continue;
    const seen = { records: await readRecords(played, both[1]), statuses: null, events: null };
    for (const [index, lead] of due) {
      const moved =
        JSON.stringify(seen.records.get(company.leads[index]!)) !== JSON.stringify(leadRecord(lead));
      if (moved) perform(state, { do: "due", lead: index }, now, null);
    }
    assert.ok(agreesWithModel(company, state, now, seen), tale(played, [], now, seen));
  }
}

/** Runs all trials of the round in all companies, at the same time as the timers. */
async function together(
  { app, both }: Servers,
  all: Played[],
  tries: readonly (readonly Try[])[],
  { timers }: Round,
  now: number,
): Promise<void> {
  const ran = timers === "one" || timers === "two";
  const calls = all.map(async (played, index): Promise<Happened[]> => {
    const { company, state } = played;
    let fresh = state.leads.size;
    const set = new Set<string>();
    return await Promise.all(
      tries[index]!.map(async (tried): Promise<Happened | null> => {
        const deed = makeDeed(state, tried, now, fresh);
        if (deed === null) return null;
        // The answers do not show which of two changes of a team or type came last.
        if (deed.do === "zone" && set.size === set.add(`team ${deed.team}`).size) return null;
        if (deed.do === "retype" && set.size === set.add(`type ${deed.type}`).size) return null;
        if (deed.do === "create") fresh++;
        const heard = await ask(company, deed, both[tried.via].ask);
        if (deed.do === "create") company.leads[deed.lead] = heard.record?.id;
        return { deed, heard };
      }),
    ).then((happened) => happened.filter((each) => each !== null));
  });
  const jobs = ran ? (timers === "two" ? both : [both[1]]).map((server) => server.timers()) : [];
  const happened = await Promise.all(calls);
  assert.deepEqual((await Promise.all(jobs)).flat(), []);
  for (const [index, played] of all.entries()) await settle(app, played, happened[index]!, ran, now, both[0]);
}

/** Applies the actions, and the countdowns that ended, to the model. */
async function settle(
  app: TestApp,
  played: Played,
  happened: readonly Happened[],
  ran: boolean,
  now: number,
  server: Server,
): Promise<void> {
  const { company, state } = played;
  const met: Happened[] = [];
  let quiet = happened.length === 0;
  for (const [index, lead] of ran ? [...state.leads] : []) {
    if (!isDue(lead, now)) continue;
    quiet = false;
    if (happened.some(({ deed }) => meet(deed, index, lead))) {
      met.push({ deed: { do: "due", lead: index }, heard: null });
    } else perform(state, { do: "due", lead: index }, now, null);
  }
  // The answer of a single action shows its effect; side effects show at the end.
  if (happened.length === 1 && met.length === 0 && !("case" in happened[0]!.deed)) {
    const after = explain(company, state, happened, now, null);
    if (after === null) assert.fail(tale(played, happened, now, null));
    played.state = after;
  } else if (!quiet) {
    const deleted = happened.some(({ deed }) => deed.do === "delete");
    const acted = happened.some(({ deed }) => deed.do === "act" || deed.do === "decline");
    const seen = {
      records: await readRecords(played, server),
      statuses: acted ? await readStatuses(played, server) : null,
      // The other effects of a deletion show only in its events.
      events: deleted ? await readLeadEvents(app, company) : null,
    };
    const after = explain(company, state, [...happened, ...met], now, seen);
    if (after === null) assert.fail(tale(played, [...happened, ...met], now, seen));
    played.state = after;
  }
  if (ran) forget(played.state, await agedTo(app));
}

/**
 * Returns the time by which jobs decide which leads have expired. If the clock jumps ahead, this time moves
 * by an hour per run.
 */
async function agedTo(app: TestApp): Promise<number> {
  const [{ reached } = {}] = await app.sql("select reached from ageing");
  return Number(reached);
}

/** Reads all existing leads by id. */
async function readRecords({ company }: Played, { ask }: Server): Promise<Map<string, object>> {
  const reply = await ask(company.people.get("admin")!.token, "GET", "/v1/leads?per_page=100");
  const { data } = await reply.json();
  return new Map(data.map((record: Body) => [record.id, inWords(company, record)]));
}

async function readStatuses({ company }: Played, { ask }: Server): Promise<Map<string, string>> {
  const reply = await ask(company.people.get("admin")!.token, "GET", "/v1/cases?per_page=100");
  const { data } = await reply.json();
  return new Map(data.map(({ id, status }: Body) => [id, status]));
}

/** Describes the state before, the simultaneous actions and the state after. */
function tale(
  { company, state }: Played,
  happened: readonly Happened[],
  now: number,
  seen: Found | null,
): string {
  const lines = [
    `At ${formatMoment(now)}, in a company of ${JSON.stringify(company.plan)}:`,
    ...[...state.leads].map(([index, lead]) =>
      `lead ${index}${isExpired(lead, now) ? " (expired)" : ""}: ${JSON.stringify(leadRecord(lead))}`
    ),
    `cases: ${JSON.stringify([...state.cases])}, found: ${JSON.stringify([...seen?.statuses ?? []])}`,
    ...happened.map(({ deed, heard }) => `${JSON.stringify(deed)} → ${heard?.answer ?? "?"}`),
    ...company.leads.map((id, index) => `found ${index}: ${JSON.stringify(seen?.records.get(id) ?? null)}`),
  ];
  return lines.join("\n");
}
