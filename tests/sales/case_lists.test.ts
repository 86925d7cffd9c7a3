import assert from "node:assert/strict";
import fc from "../support/properties.ts";
import { CasePage } from "../../src/sales/cases/schema.ts";
import { copy } from "../customers/deletion_world.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { newCase, newContact, newPath } from "./parts.ts";

const uuid = (n: number) => `01939c5e-7d3a-7c3f-8a55-0a4be5a1a${String(n).padStart(3, "0")}`;
const at = (n: number) => `2026-01-${String(n + 1).padStart(2, "0")} 00:00:00`;
const day = (i: string) => `printf('2026-01-%02d 00:00:00', 1 + (${i}) % 20)`;
const number = 96;

/** Ninety-six cases of one account that differ in every filter, and two users who see them. */
async function crowd(app: TestApp) {
  const company = await app.company();
  const teams = [await company.team(), await company.team(), await company.team()];
  const { admin } = company;
  const member = await company.user({ teams: [teams[0]!] });
  const paths = [await newPath(admin), await newPath(admin)];
  const first = await newCase(admin, paths[0]!);
  const { contact } = await newContact(admin, { account: "Boats", last: "Noether" });
  const choice = (by: number, ...values: (string | number | null)[]) => {
    const branches = values.map((value, n) => `when ${n} then ${value === null ? "null" : `'${value}'`}`)
      .join(" ");
    return `case (i / ${by}) % ${values.length} ${branches} end`;
  };
  const status = choice(1, "open", "closed", "declined", "open");
  const latest = `iif(i % 3 = 0, null, ${day("i * 7")})`;
  const set: Record<string, string> = {
    id: `'01939c5e-7d3a-7c3f-8a55-' || printf('%012x', (i * 37) % ${number + 5})`,
    case_number: "x.case_number + i",
    team_id: `cast(${choice(3, ...teams, null)} as integer)`,
    user_id: `cast(${choice(2, admin.id, member.id, null)} as integer)`,
    account_id: choice(7, first.account.id, contact.account.id),
    contact_id: choice(7, first.contact.id, contact.id),
    relations_path_id: choice(5, paths[0]!.id, paths[1]!.id),
    status,
    latest_activity_at: latest,
    lead_type_id: choice(2, null, uuid(1), null, uuid(2)),
    lead_source: choice(3, null, "fair", "web"),
    highest_milestone_id: choice(2, null, uuid(3), uuid(4)),
    highest_milestone_type: choice(4, null, "offer", "test_drive"),
    highest_milestone_at: `iif(i % 5 = 0, null, ${day("i * 3")})`,
    stock_vehicle_id: choice(9, null, null, uuid(5)),
    created_at: day("i * 11"),
    updated_at: day("i * 13"),
    important_key: `iif(${latest} is null, '0 ' || ${day("i * 11")}, '1 ' || ${latest})`,
    recent_key: `case ${status} when 'open' then 3 when 'closed' then 2 else 1 end || ' ' || ` +
      `coalesce(${latest}, '0000-00-00 00:00:00') || ' ' || ${day("i * 13")}`,
  };
  await copy(app, "cases", `x.id = '${first.id}'`, set, number);
  assert.equal((await admin.call("DELETE", `/v1/cases/${first.id}`)).status, 204);
  const rows: Body[] = await app.sql(
    "select cs.*, lower(a.name || ' ' || c.first_name || ' ' || c.last_name) as words from cases cs " +
      "join accounts a on a.id = cs.account_id join contacts c on c.id = cs.contact_id",
  );
  assert.equal(rows.length, number);
  return { company, admin, member, teams, paths, rows, accounts: [first.account.id, contact.account.id] };
}

type Query = Readonly<Record<string, string>>;

/** An independent implementation of the filters, except `status`. */
function matches(row: Body, query: Query, who: Actor, ofWho: readonly number[]): boolean {
  const of = (name: string) => query[name]?.split(",");
  const among = (name: string, column: string) => !of(name) || of(name)!.includes(`${row[column]}`);
  const from = (name: string, column: string) =>
    !query[name] || (row[column] !== null && row[column] >= query[name]!);
  const to = (name: string, column: string) =>
    !query[name] || (row[column] !== null && row[column] <= query[name]!);
  const words = row.words.split(" ").concat(String(row.case_number));
  return among("users", "user_id") && among("teams", "team_id") && among("lead_types", "lead_type_id") &&
    among("lead_sources", "lead_source") && among("relations_paths", "relations_path_id") &&
    among("milestone_ids", "highest_milestone_id") && among("milestone_types", "highest_milestone_type") &&
    among("account_ids", "account_id") && among("contact_ids", "contact_id") &&
    among("stock_vehicle_id", "stock_vehicle_id") && from("start_at", "created_at") &&
    to("end_at", "created_at") && from("milestone_start_at", "highest_milestone_at") &&
    to("milestone_end_at", "highest_milestone_at") &&
    (!query.created_from_lead || (row.lead_type_id !== null) === (query.created_from_lead === "true")) &&
    (!query.search ||
      query.search.split(" ").every((start) => words.some((word: string) => word.startsWith(start)))) &&
    (query.show !== "mine" || row.user_id === who.id) &&
    (query.show !== "team" || ofWho.includes(row.team_id));
}

const ranks: Readonly<Record<string, number>> = { open: 0, closed: 1, declined: 2 };

function order(mode: string | undefined) {
  const by = (one: Body, other: Body) => (one < other ? -1 : one > other ? 1 : 0);
  if (mode !== "recent") {
    return (one: Body, other: Body) =>
      by(one.latest_activity_at ?? "", other.latest_activity_at ?? "") ||
      (one.latest_activity_at ? 0 : by(one.created_at, other.created_at)) || by(one.id, other.id);
  }
  return (one: Body, other: Body) =>
    ranks[one.status]! - ranks[other.status]! ||
    by(other.latest_activity_at ?? "", one.latest_activity_at ?? "") ||
    by(other.updated_at, one.updated_at) ||
    by(other.id, one.id);
}

const some = (...values: (string | number)[]) =>
  fc.subarray(values.map(String), { minLength: 1 }).map((chosen) => chosen.join(","));

function queries(world: Awaited<ReturnType<typeof crowd>>): fc.Arbitrary<Query> {
  const { admin, member, teams, paths, accounts, rows } = world;
  const contacts = [...new Set(rows.map(({ contact_id }) => contact_id as string))];
  const optional: Record<string, fc.Arbitrary<string>> = {
    show: fc.constantFrom("mine", "team"),
    users: some(admin.id, member.id, 999_999),
    teams: some(...teams, 999_999),
    created_from_lead: fc.constantFrom("true", "false"),
    lead_types: some(uuid(1), uuid(2), uuid(9)),
    lead_sources: some("fair", "web", "none"),
    relations_paths: some(paths[0]!.id, paths[1]!.id),
    milestone_ids: some(uuid(3), uuid(4)),
    milestone_types: some("offer", "test_drive", "need_analysis"),
    stock_vehicle_id: fc.constantFrom(uuid(5), uuid(6)),
    account_ids: some(...accounts),
    contact_ids: some(...contacts, uuid(9)),
    search: fc.constantFrom("boat", "grace hop", "5", "noether 1", "nobody"),
    start_at: fc.integer({ min: 0, max: 9 }).map(at),
    end_at: fc.integer({ min: 10, max: 20 }).map(at),
    milestone_start_at: fc.integer({ min: 0, max: 9 }).map(at),
    milestone_end_at: fc.integer({ min: 10, max: 20 }).map(at),
  };
  const few = fc.subarray(Object.keys(optional), { maxLength: 3 }).map((names) =>
    names.includes("lead_types") ? names.filter((name) => name !== "created_from_lead") : names
  );
  const narrowing = few.chain((names) =>
    fc.record(Object.fromEntries(names.map((name) => [name, optional[name]!])))
  );
  const rest = fc.record({
    status: fc.constantFrom("open", "closed", "declined"),
    sort_mode: fc.constantFrom("important", "recent"),
    per_page: fc.constantFrom("3", "100"),
  }, { requiredKeys: [] });
  return fc.tuple(narrowing, rest).map(([one, other]) => ({ ...one, ...other }) as Query);
}

async function assertListed(
  app: TestApp,
  who: Actor,
  path: string,
  query: Query,
): Promise<{ ids: string[]; body: Body }> {
  const ids: string[] = [];
  let next: string | null = `${path}?${new URLSearchParams(query)}`;
  let body: Body;
  for (let page = 0; next !== null && page < 4; page++) {
    const reply = await who.call("GET", next.replace(app.url, ""));
    assert.equal(reply.status, 200, reply.text);
    assert.equal(CasePage.strict().safeParse(reply.body).error, undefined);
    body ??= reply.body;
    assert.deepEqual(reply.body.statuses, body.statuses);
    ids.push(...reply.body.data.map(({ id }: Body) => id));
    next = reply.body.pagination.urls.next;
  }
  return { ids, body };
}

/** Checks the rows of a list, their order, and its counts by status. */
async function hold(app: TestApp, who: Actor, path: string, query: Query, matching: readonly Body[]) {
  const { ids, body } = await assertListed(app, who, path, query);
  const reported = `${who.id} ${JSON.stringify(query)}`;
  const of = (status?: string) => matching.filter((row) => !status || row.status === status);
  const { all, open, closed, declined } = body.statuses;
  const counted = {
    all: of().length,
    open: of("open").length,
    closed: of("closed").length,
    declined: of("declined").length,
  };
  assert.deepEqual(body.statuses, counted, reported);
  assert.equal(all, open + closed + declined);
  const expected = of(query.status).toSorted(order(query.sort_mode)).map(({ id }) => id);
  assert.equal(body.pagination.total, expected.length, reported);
  assert.deepEqual(ids, expected.slice(0, 4 * Number(query.per_page ?? 15)), reported);
}

Deno.test("each combination of filters and sorts of cases returns the right rows in order, with counts by status", async () => {
  await using app = await startApp();
  const world = await crowd(app);
  const { rows, admin, member, teams } = world;
  await fc.assert(
    fc.asyncProperty(queries(world), async (query) => {
      for (const who of [admin, member]) {
        const own = who === admin ? [] : [teams[0]!];
        const seen = rows.filter((row) => who === admin || row.team_id === null || row.team_id === teams[0]);
        await hold(app, who, "/v1/cases", query, seen.filter((row) => matches(row, query, who, own)));
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("the list of an account's cases has those that the caller sees, with search, status and counts; 404 for an unseen account", async () => {
  await using app = await startApp();
  const { rows, admin, member, teams, accounts, company } = await crowd(app);
  for (const account of accounts) {
    for (const who of [admin, member]) {
      const seen = rows.filter((row) =>
        row.account_id === account && (who === admin || row.team_id === null || row.team_id === teams[0])
      );
      for (
        const query of [{}, { status: "closed" }, { search: "boat" }, { search: "1 grace", status: "open" }]
      ) {
        const matching = seen.filter((row) => matches(row, query as Query, who, []));
        await hold(app, who, `/v1/accounts/${account}/cases`, query as Query, matching);
      }
    }
  }
  const stranger = await company.user({ teams: [teams[1]!] });
  const { account } = await newContact(stranger);
  const path = `/v1/accounts/${account.id}/cases`;
  const { body } = await stranger.call("GET", path);
  assert.deepEqual([body.data, body.statuses.all], [[], 0]);
  assert.equal((await member.call("GET", path)).status, 404);
  assert.equal((await (await app.company()).admin.call("GET", path)).status, 404);
  const refused = await stranger.call("GET", `${path}?status=lost`);
  assert.deepEqual([refused.status, refused.body.errors[0].code], [422, "enum"]);
});
