/**
 * Checks the records that each user sees at the end of a company's history, and the events of the company.
 */
import assert from "node:assert/strict";
import type { Body, TestApp } from "../../support/app.ts";
import type { Ask, Company } from "./company.ts";
import {
  expectNext,
  isExpired,
  type Lead,
  looksAfter,
  type Move,
  seesLead,
  type State,
  waitsIn,
  type Who,
} from "./model.ts";

export async function lookAround(
  app: TestApp,
  company: Company,
  state: State,
  now: number,
  server: Ask,
): Promise<void> {
  const get = async (who: Who, path: string): Promise<Body> => {
    const reply = await server(company.people.get(who)!.token, "GET", `/v1/${path}`);
    assert.equal(reply.status, 200);
    return await reply.json();
  };
  const there = [...state.leads].filter(([, lead]) => !isExpired(lead, now));
  const ids = (holds: (lead: Lead) => boolean) =>
    there.filter(([, lead]) => holds(lead)).map(([index]) => company.leads[index]!).sort();
  for (const who of company.people.keys()) {
    const list = async (path: string) => {
      const { data, pagination } = await get(who, `${path}?per_page=100`);
      assert.equal(pagination.total, data.length, path);
      return data.map(({ id }: Body) => id).sort();
    };
    assert.deepEqual(await list("leads"), ids((lead) => seesLead(state.plan, who, lead)), who);
    // Checks only one of the agencies; other histories check the other one. An admin sees the leads of both.
    if (who.startsWith("member") || who === `agent${state.leads.size % 2}`) continue;
    for (const status of ["assignable", "rejected", "escalated", "revoked"]) {
      const shown = ids((lead) => waitsIn(lead) === status && looksAfter(who, lead));
      assert.deepEqual(await list(`leads/${status}`), shown, `${who} ${status}`);
    }
  }
  await countCases(company, state, there[0]?.[0], (path) => get("admin", path));
  for (const [, lead] of state.leads) checkHolder(lead);
  for (const [index, lead] of there) {
    const explained = await get("admin", `leads/${company.leads[index]}/explain`);
    checkExplained(company, lead, explained);
  }
  // Each move has one event, in the order of the moves.
  const events = await readLeadEvents(app, company);
  assert.equal(events.size, state.leads.size);
  for (const [index, lead] of state.leads) assert.deepEqual(events.get(company.leads[index]!), lead.events);
}

/** Checks the counts of cases by status and in total, and the open leads of each dealer. */
async function countCases(
  { leads, teams }: Company,
  { cases }: State,
  lead: number | undefined,
  get: (path: string) => Promise<Body>,
) {
  const { statuses, pagination } = await get("cases");
  const count = (status: string) => [...cases.values()].filter((its) => its.status === status).length;
  const counts = [count("open"), count("closed"), count("declined")];
  assert.deepEqual([statuses.open, statuses.closed, statuses.declined], counts);
  assert.equal(statuses.open + statuses.closed + statuses.declined, cases.size);
  assert.deepEqual([statuses.all, pagination.total], [cases.size, cases.size]);
  if (lead === undefined) return;
  const dealers = await get(`leads/teams/${leads[lead]}`);
  const open = new Map(dealers.data.map(({ id, case_count }: Body) => [id, case_count]));
  for (const [index, id] of teams.entries()) {
    const its = [...cases.values()].filter(({ team, status }) => team === index && status === "open");
    assert.equal(open.get(id), its.length);
  }
}

/**
 * Checks that the team of the last assignment has the lead, or that the lead waits for the agency. A lead
 * that waits was returned or revoked as often as it was assigned.
 */
function checkHolder({ status, team, log, due }: Lead): void {
  const held = ["assigned", "accepted", "escalated", "called"].includes(status);
  assert.equal(log.assignments.length - log.rejections.length - log.revocations.length, held ? 1 : 0);
  if (held) assert.equal(log.assignments.at(-1)![0], team);
  else assert.equal(due, null);
}

const toMoment = (at: string) => Date.parse(`${at.replace(" ", "T")}Z`);

/** Checks that a lead is explained by the moves that it has made, and by the one that comes next. */
function checkExplained(company: Company, lead: Lead, { status, moves, next }: Body): void {
  assert.equal(status, lead.status);
  assert.deepEqual(
    next === null ? null : { move: next.move, at: next.at, rule: next.rule },
    expectNext(lead),
  );
  const findId = (who: Who) => company.people.get(who)!.id;
  assert.deepEqual(
    moves.map(({ move, from, to, at, by, team, reason }: Body) => [
      ...[move, from, to, move === "created" ? null : at, by.type],
      ...[team?.id ?? null, reason],
    ]),
    lead.moves.map(({ move, to, at, by, team, reason }, index) => [
      ...[move, lead.moves[index - 1]?.to ?? null, to, move === "created" ? null : at],
      ...[by === null ? "timer" : "user", team === null ? null : company.teams[team], reason],
    ]),
  );
  // Its time is that of the id, which may be some seconds ahead: histories with other clocks share the process.
  const ahead = Math.abs(toMoment(moves[0].at) - toMoment(lead.moves[0]!.at));
  assert.ok(ahead <= 10_000, `created at ${moves[0].at}, not ${lead.moves[0]!.at}`);
  // Which of several calls of one moment came first is not known, so each moment is compared as a whole. Of several
  // activities at once any may be the first.
  const makers = <Each extends Pick<Move, "move" | "at">>(
    all: readonly Each[],
    maker: (each: Each) => unknown,
  ) =>
    all.filter(({ move }) => move !== "first_activity").map((each) =>
      `${each.move === "created" ? "" : each.at} ${each.move} ${maker(each)}`
    ).sort();
  assert.deepEqual(
    makers(moves as { move: string; at: string; by: { id: number | null } }[], ({ by }) => by.id),
    makers(lead.moves, ({ by }) => by === null ? null : findId(by)),
  );
}

/** Returns the event names of each lead of a company, in order. */
export async function readLeadEvents(app: TestApp, { id }: Company): Promise<Map<string, string[]>> {
  const rows = await app.sql(
    "select entity_id, json_group_array(event_name order by sequence) as names from outbox " +
      "where company_id = ? and entity_type = 'lead' group by entity_id",
    id,
  );
  return new Map(rows.map(({ entity_id, names }) => [String(entity_id), JSON.parse(String(names))]));
}
