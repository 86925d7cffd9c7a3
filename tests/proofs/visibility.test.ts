/**
 * Lists, searches, filters, counts and sorts show exactly the visible records. Compares generated companies,
 * read by each of their users, with a model of visibility.
 */
import assert from "node:assert/strict";
import fc from "../support/properties.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import {
  compare,
  everything,
  type Question,
  searchQuestions,
  stamps,
  timeQuestions,
} from "./visibility/asking.ts";
import { formatDay, type Made, make, rearrange } from "./visibility/company.ts";
import { lookAtFields, lookAtFilters } from "./visibility/filters.ts";
import { type Known, looksAfter, plan, seesRecord, type Viewer } from "./visibility/model.ts";
import { lookAtNotes } from "./visibility/notes.ts";

const runs = Number(Deno.env.get("VISIBILITY_RUNS") ?? 1);

Deno.test("lists, searches, filters, counts and sorts show exactly the visible records", async () => {
  await using app = await startApp();
  await fc.assert(
    fc.asyncProperty(plan, async (plan) => {
      const made = await make(app, plan);
      for (const [n, viewer] of made.viewers.entries()) await look(made, viewer, made.actors[n]!);
      await rearrange(made, plan.later);
      for (const [n, viewer] of made.viewers.entries()) await look(made, viewer, made.actors[n]!);
    }),
    { numRuns: runs, endOnFailure: true },
  );
});

async function look(made: Made, viewer: Viewer, actor: Actor): Promise<void> {
  const visible = <T extends Known>(records: readonly T[]) =>
    records.filter((record) => seesRecord(viewer, record, made.groupOf));
  const place = placeQuestions(made);
  const times = timeQuestions();
  const users = made.viewers.map(({ id }) => ({
    query: `users=${id}`,
    holds: (record: Known) => record.user === id,
  }));
  const searches = searchQuestions(["ada", "ada ltd", "MULL", "wien", "cid b", "exam"]);
  const customers = [...place, ...times, ...users, ...searches];

  await compare(actor, "/v1/accounts", visible(made.accounts), [...stamps, "name"], customers);
  await compare(actor, "/v1/contacts", visible(made.contacts), [...stamps, "last_name"], customers);
  await select(actor, "account", visible(made.accounts));
  await select(actor, "contact", visible(made.contacts));
  for (const account of made.accounts) {
    const path = `/v1/accounts/${account.id}/contacts`;
    if (seesRecord(viewer, account, made.groupOf)) {
      await compare(actor, path, made.contacts.filter((each) => each.account === account.id), [], users);
    } else assert.equal((await actor.call("GET", path)).status, 404);
  }

  const statuses = ["open", "closed", "declined"].map((status) => ({
    query: `status=${status}`,
    holds: (record: Known) => record.status === status,
  }));
  const shown = [
    { query: "show=mine", holds: (record: Known) => record.user === viewer.id },
    { query: "show=team", holds: ({ team }: Known) => team !== null && viewer.teams.includes(team) },
  ];
  const ofTeams = place.filter(({ query }) => query.startsWith("teams"));
  const numbers = searchQuestions(["ada", "ltd", "cid", "1", "2"]);
  const cases = [...ofTeams, ...times, ...users, ...shown, ...numbers];
  await compare(actor, "/v1/cases", visible(made.cases), [], [...cases, ...statuses], (body, question) => {
    if (!question.query.includes("status=")) checkCounts(body, visible(made.cases), question);
  });
  for (const question of [everything, ...cases]) {
    const { body } = await actor.call("GET", `/v1/cases?per_page=1&${question.query}&status=open`);
    checkCounts(body, visible(made.cases), question);
  }

  const found = [...statuses, ...searchQuestions(["ada", "1"])];
  for (const account of made.accounts.slice(0, 3)) {
    const path = `/v1/accounts/${account.id}/cases`;
    if (seesRecord(viewer, account, made.groupOf)) {
      await compare(
        actor,
        path,
        visible(made.cases.filter((each) => each.account === account.id)),
        [],
        found,
      );
    } else assert.equal((await actor.call("GET", path)).status, 404);
  }

  const sources = ["site", "fair"].map((source) => ({
    query: `lead_sources=${source}`,
    holds: (record: Known) => record.source === source,
  }));
  const states = ["assignable", "assigned", "rejected"].map((status) => ({
    query: `status=${status}`,
    holds: (record: Known) => record.status === status,
  }));
  const sorts = ["created_at", "updated_at", "external_weight"];
  const leads = [...place, ...times, ...sources, ...states];
  await compare(actor, "/v1/leads", visible(made.leads), sorts, leads);
  await lookAtWaiting(made, viewer, actor, sorts);

  await lookAtNotes(made, viewer, actor);
  await lookAtFields(made, viewer, actor);
  await lookAtFilters(made, viewer, actor);

  for (const list of ["accounts", "contacts", "cases", "leads", "notes"] as const) {
    for (const record of made[list]) {
      const { status } = await actor.call("GET", `/v1/${list}/${record.id}`);
      assert.equal(status, seesRecord(viewer, record, made.groupOf) ? 200 : 404, `${list} ${record.id}`);
    }
  }
}

/** Checks the agency's lists of leads, which callers with the right see even without access to the team. */
async function lookAtWaiting(
  { leads }: Made,
  viewer: Viewer,
  actor: Actor,
  sorts: readonly string[],
): Promise<void> {
  const dates = timeQuestions().map(({ query, holds }) => ({
    query: query.replace("start_at", "start_date").replace("end_at", "end_date"),
    holds,
  }));
  for (const list of ["assignable", "rejected", "escalated", "revoked"]) {
    const path = `/v1/leads/${list}`;
    if (viewer.type === "admin" || viewer.agency) {
      const waiting = leads.filter((lead) => lead.status === list && looksAfter(viewer, lead));
      await compare(actor, path, waiting, sorts, dates);
    } else assert.equal((await actor.call("GET", path)).status, 403);
  }
}

/** Checks posted filters: one that selects all records, and one that selects those created since a day. */
async function select(actor: Actor, kind: "account" | "contact", visible: readonly Known[]): Promise<void> {
  const from = { field: `${kind}.created_at`, operator: "gte", value: formatDay(1) };
  for (const [filter, least] of [[[], ""], [[from], formatDay(1)]] as const) {
    const { body, text } = await actor.call("POST", `/v1/${kind}s/filter?per_page=100`, { filter });
    const expected = visible.filter(({ created_at }) => created_at >= least).map(({ id }) => id);
    assert.deepEqual(body.data.map(({ id }: Body) => id).toSorted(), expected.toSorted(), text);
    assert.equal(body.pagination.total, expected.length);
  }
}

/** Checks the number of cases of each status, under all filters except the status. */
function checkCounts({ statuses }: Body, visible: readonly Known[], { query, holds }: Question): void {
  const counts = { all: 0, open: 0, closed: 0, declined: 0 };
  for (const { status } of visible.filter(holds)) {
    counts.all++;
    counts[status as "open"]++;
  }
  assert.deepEqual(statuses, counts, `the statuses of /v1/cases?${query}`);
}

/** Returns filters by team and by group, including teams and groups to which the viewer does not belong. */
function placeQuestions({ teams, groups, groupOf }: Made): Question[] {
  const ofTeams = (some: readonly number[]): Question => ({
    query: `teams=${some.join(",")}`,
    holds: ({ team }) => team !== null && some.includes(team),
  });
  return [
    ...teams.map((team) => ofTeams([team])),
    ofTeams(teams),
    ...groups.map((group): Question => ({
      query: `groups=${group}`,
      holds: ({ team }) => team !== null && groupOf.get(team) === group,
    })),
  ];
}
