import assert from "node:assert/strict";
import { foldTexts } from "../../src/core/text.ts";
import { sortKey } from "../../src/customers/accounts/search_index.ts";
import { maxScannedRows, maxSortedRows } from "../../src/lists/plan.ts";
import { type Body, startApp } from "../support/app.ts";
import { createAccount, expandFilter } from "./filters_world.ts";

Deno.test("what an index finds too often to read it all is read in the list's order: the same pages, and the exact total, of what the caller sees", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const team = await crm.team();
  const { id } = await createAccount(crm.admin, "Firm", { team_id: team });
  const stamps = "'2026-01-01 00:00:00', '2026-01-01 00:00:00'";
  await app.deps.db.write([{
    sql: `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${maxSortedRows + 5})
      insert into contacts (id, company_id, account_id, team_id, last_name, title, last_name_key, last_activity_at,
      created_at, updated_at) select printf('00000000-0000-7000-8000-%012d', i), ?1, ?2, ?3, 'Name ' || i,
      iif(i % 1000 = 0, 'Rare', null), 'x', printf('2026-01-01 %02d:%02d:%02d', i / 3600, i / 60 % 60, i % 60),
      ${stamps} from n`,
    args: [crm.id, id, team],
  }]);
  const member = await crm.user({ teams: [team] });
  const broad: [string, string, unknown] = ["b2b_contact.fixed_fields.last_name", "sw", "NAME"];
  const names = async (
    actor: typeof member,
    path: string,
    ...nodes: Parameters<typeof expandFilter>[0][number][]
  ) => {
    const { status, text, body } = await actor.call("POST", path, { filter: expandFilter(nodes) });
    assert.equal(status, 200, text);
    return {
      total: body.pagination.total,
      next: body.pagination.urls.next,
      shown: body.data.map((each: Body) => each.id),
    };
  };
  for (const actor of [crm.admin, member]) {
    const first = await names(actor, "/v1/contacts/filter?per_page=3", broad);
    assert.equal(first.total, maxSortedRows + 5);
    const second = await names(actor, first.next.slice(app.url.length), broad);
    const last = [5, 4, 3, 2, 1, 0].map((n) => makeId(maxSortedRows + n));
    assert.deepEqual([...first.shown, ...second.shown], last);
    const rare = await names(actor, "/v1/contacts/filter", broad, [
      "b2b_contact.fixed_fields.title",
      "neq",
      "x",
    ], [
      "b2b_contact.fixed_fields.title",
      "ct",
      "AR",
    ]);
    const rares = Math.floor((maxSortedRows + 5) / 1_000);
    assert.deepEqual([rare.total, rare.shown.length], [rares, rares]);
    const makeCondition = (operator: string, second: number): [string, string, unknown] => [
      "contact.created_at",
      operator,
      `2026-01-01 00:00:0${second}`,
    ];
    const within = await names(
      actor,
      "/v1/contacts/filter?per_page=3",
      broad,
      makeCondition("gte", 0),
      makeCondition("lte", 1),
    );
    assert.deepEqual([within.total, within.shown], [maxSortedRows + 5, first.shown]);
    const without = await names(actor, "/v1/contacts/filter?per_page=3", broad, makeCondition("gt", 0));
    assert.equal(without.total, 0);
    const either = await names(actor, "/v1/contacts/filter?per_page=2", {
      or: [broad, ["contact.status", "eq", "lead"]],
    });
    assert.deepEqual([either.total, either.shown], [maxSortedRows + 5, last.slice(0, 2)]);
  }
  // Newer contacts of another team.
  await app.deps.db.write([{
    sql:
      `insert into contacts (id, company_id, account_id, team_id, last_name, last_name_key, last_activity_at,
      created_at, updated_at) select replace(id, '-7000-', '-7fff-'), company_id, account_id, ?, last_name, 'x',
      '2026-02-01 00:00:00', created_at, updated_at from contacts limit 5`,
    args: [await crm.team()],
  }]);
  const seen = await names(member, "/v1/contacts/filter?per_page=3", broad);
  assert.deepEqual([seen.total, seen.shown], [
    maxSortedRows + 5,
    [5, 4, 3].map((n) => makeId(maxSortedRows + n)),
  ]);
  assert.equal((await names(crm.admin, "/v1/contacts/filter?per_page=3", broad)).total, maxSortedRows + 10);
});

Deno.test("a broad filter whose rows stand at the end of the list's order is paged like every other", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const [team, other] = [await crm.team(), await crm.team()];
  const { id } = await createAccount(crm.admin, "Firm", { team_id: team });
  const all = maxScannedRows + 2 * maxSortedRows;
  await app.deps.db.write([{
    sql: `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${all})
      insert into contacts (id, company_id, account_id, team_id, last_name, last_name_key, last_activity_at,
      created_at, updated_at) select printf('00000000-0000-7000-8000-%012d', i), ?1, ?2, iif(i % 2, ?3, ?4),
      iif(i <= ?5 or i = ?6, 'Early', 'Late'), 'x', printf('2026-01-01 %02d:%02d:%02d', i / 3600, i / 60 % 60, i % 60),
      '2026-01-01 00:00:00', '2026-01-01 00:00:00' from n`,
    args: [crm.id, id, team, other, maxSortedRows + 10, all],
  }]);
  const member = await crm.user({ teams: [team, other] });
  const filter = expandFilter([["b2b_contact.fixed_fields.last_name", "eq", "Early"]]);
  for (const actor of [crm.admin, member]) {
    const { body } = await actor.call("POST", "/v1/contacts/filter?per_page=3", { filter });
    assert.equal(body.pagination.total, maxSortedRows + 11);
    const shared = expandFilter([
      ["b2b_contact.fixed_fields.last_name", "sw", "E"],
      ["contact.created_at", "gte", "2026-01-01 00:00:00"],
    ]);
    const again = await actor.call("POST", "/v1/contacts/filter?per_page=3", { filter: shared });
    assert.deepEqual([again.body.pagination.total, again.body.data], [maxSortedRows + 11, body.data]);
    const walk = async (per_page: number) => {
      const first = await actor.call("POST", `/v1/contacts/filter?per_page=${per_page}`, { filter });
      const url = first.body.pagination.urls.next.slice(app.url.length);
      const next = await actor.call("POST", url, { filter });
      return [...first.body.data, ...next.body.data].map((each: Body) => each.id);
    };
    const shown = [all, ...[10, 9, 8, 7, 6].map((n) => maxSortedRows + n)].map(makeId);
    assert.deepEqual(await walk(3), shown);
    // Between the first and the second match there are more rows than one call reads.
    assert.deepEqual(await walk(1), shown.slice(0, 2));
  }
});

Deno.test("a list by name starts at the beginning that its filter gives, also with accents and long names", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const team = await crm.team();
  const { id } = await createAccount(crm.admin, "Firm", { team_id: team });
  const long = "s".repeat(130);
  const beginnings = [
    "Adam",
    "sa",
    "Sa",
    "S\u0301a",
    "\u015aa",
    "\u015ba",
    `${long}a`,
    "\u212aay",
    "Tim",
  ];
  const rows = Array.from(
    { length: beginnings.length * (maxSortedRows + 5) },
    (_, n) => {
      const last_name = `${beginnings[n % beginnings.length]} ${n * 7_919 % 10_007}`;
      return {
        id: makeId(n),
        last_name,
        key: sortKey(last_name),
        folded: foldTexts({ last_name }),
      };
    },
  );
  await app.deps.db.write([{
    sql: `insert into contacts (id, company_id, account_id, team_id, last_name, last_name_key, folded,
      last_activity_at, created_at, updated_at) select value ->> 'id', ?1, ?2, ?3, value ->> 'last_name',
      value ->> 'key', value ->> 'folded', '2026-01-01 00:00:00', '2026-01-01 00:00:00', '2026-01-01 00:00:00'
      from json_each(?4)`,
    args: [crm.id, id, team, JSON.stringify(rows)],
  }]);
  const inOrder = rows.toSorted((one, other) =>
    one.key < other.key || (one.key === other.key && one.id < other.id) ? -1 : 1
  );
  const member = await crm.user({ teams: [team] });
  for (const beginning of ["s", "sa", "\u015b", "k", "t", long]) {
    const filter = expandFilter([[
      "b2b_contact.fixed_fields.last_name",
      "sw",
      beginning,
    ]]);
    const selected = inOrder.filter(({ last_name }) =>
      last_name.normalize("NFC").toLowerCase().startsWith(beginning)
    );
    for (const actor of [crm.admin, member]) {
      for (
        const [sort, expected] of [["last_name", selected], [
          "-last_name",
          selected.toReversed(),
        ]] as const
      ) {
        const url = `/v1/contacts/filter?per_page=3&sort=${sort}`;
        const first = await actor.call("POST", url, { filter });
        const next = await actor.call(
          "POST",
          first.body.pagination.urls.next.slice(app.url.length),
          {
            filter,
          },
        );
        assert.equal(first.body.pagination.total, selected.length);
        const shown = [...first.body.data, ...next.body.data].map((
          each: Body,
        ) => each.id);
        assert.deepEqual(
          shown,
          expected.slice(0, 6).map((row) => row.id),
          `${beginning} ${sort}`,
        );
      }
    }
  }
});

function makeId(n: number): string {
  return `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;
}
