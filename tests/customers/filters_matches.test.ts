/**
 * Filters whose index counts the matches: the list reads its rows in order and checks each against the set of
 * matches.
 */
import assert from "node:assert/strict";
import { maxSortedRows } from "../../src/lists/plan.ts";
import { indexTexts } from "../../src/customers/texts/index_texts.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { newField } from "./fields_world.ts";
import { createAccount, expandFilter, type Written } from "./filters_world.ts";

type App = Awaited<ReturnType<typeof startApp>>;
type Page = { total: number; next: string | null; shown: string[] };

/** Too many matches to be read and sorted, and few enough for a set. */
const matches = maxSortedRows + 10;
const stamps = "'2026-01-01 00:00:00', '2026-01-01 00:00:00'";

Deno.test("what an index counts is paged in the list's order, wherever in it the matches stand", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const [team, other] = [await crm.team(), await crm.team()];
  const member = await crm.user({ teams: [team] });
  const both = await crm.user({ teams: [team, other] });
  const { id } = await createAccount(crm.admin, "Firm", { team_id: team });
  await newField(crm.admin, { label: "Early", type: "numeric" }, [], "contact");
  await newField(crm.admin, { label: "Late", type: "numeric" }, [], "contact");
  // The early contacts are at the end of the order, so the list reads all others first.
  const all = 12 * matches;
  await runChange(
    app,
    `insert into contacts (id, company_id, account_id, team_id, last_name, last_name_key, last_activity_at,
      created_at, updated_at)
      select ${idSql("i")}, ${crm.id}, '${id}', iif(i % 2, ${team}, ${other}),
        case when i <= ${matches} then 'An early one' when i > ${all - matches} then 'Late' else 'Between'
      end, 'x',
        printf('2026-01-01 %02d:%02d:%02d', i / 3600, i / 60 % 60, i % 60), ${stamps} from (${numbers(all)})`,
  );
  await insertValues(app, "early", "contacts", "last_name = 'An early one'");
  await insertValues(app, "late", "contacts", "last_name = 'Late'");
  const text = (
    operator: string,
    value: string,
  ): Written => ["b2b_contact.fixed_fields.last_name", operator, value];
  const number = (name: string): Written => [`b2b_contact.custom_fields.${name}`, "eq", 1];
  const early = Array.from({ length: 6 }, (_, n) => matches - n);
  const late = Array.from({ length: 6 }, (_, n) => all - n);
  const odd = (first: number) => Array.from({ length: 6 }, (_, n) => first - (first + 1) % 2 - 2 * n);
  const check = async () => {
    for (
      const [node, last] of [[number("early"), early], [text("ct", "EARLY"), early], [number("late"), late], [
        text("ct", "late"),
        late,
      ]] as const
    ) {
      for (
        const [actor, total, shown] of [[crm.admin, matches, last], [both, matches, last], [
          member,
          matches / 2,
          odd(last[0]!),
        ]] as const
      ) {
        const first = await page(app, actor, "/v1/contacts/filter?per_page=3", node);
        const second = await page(app, actor, first.next!, node);
        assert.deepEqual([first.total, second.total], [total, total], JSON.stringify(node));
        assert.deepEqual([...first.shown, ...second.shown], shown.map(makeId), JSON.stringify(node));
        const end = await page(app, actor, `/v1/contacts/filter?per_page=3&page=${matches}`, node);
        assert.deepEqual([end.total, end.shown], [total, []]);
      }
    }
  };
  await check();
  await indexTexts(app.deps, { rows: 5_000, until: Infinity });
  await check();
});

Deno.test("matches sorted by what their index has are paged in that order, and by id within one moment", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const team = await crm.team();
  const member = await crm.user({ teams: [team] });
  const { id } = await createAccount(crm.admin, "Firm", { team_id: team });
  const all = 40;
  // Six or seven contacts for each moment, with ids in the opposite order of the rows.
  await runChange(
    app,
    `insert into contacts (id, company_id, account_id, team_id, last_name, last_name_key, last_activity_at,
      created_at, updated_at)
      select ${idSql(`${all} + 1 - i`)}, ${crm.id}, '${id}', ${team}, iif(i % 8, 'Same', 'Other'), 'x',
        '2026-01-01 00:00:00', '2026-01-0' || (i * 5 % 6 + 1) || ' 00:00:00', '2026-01-01 00:00:00'
      from (${numbers(all)})`,
  );
  const rows = Array.from({ length: all }, (_, n) => n + 1).filter((i) => i % 8 !== 0)
    .map((i) => `${i * 5 % 6 + 1} ${makeId(all + 1 - i)}`).sort();
  // A prefix so long that few rows are expected.
  const name: Written = ["b2b_contact.fixed_fields.last_name", "sw", "same"];
  for (const actor of [crm.admin, member]) {
    for (
      const [sort, sorted] of [["created_at", rows], [
        "-created_at",
        rows.toReversed(),
      ]] as const
    ) {
      const wanted = sorted.map((row) => row.slice(2));
      const [shown, numbered]: string[][] = [[], []];
      const path = `/v1/contacts/filter?per_page=4&sort=${sort}`;
      for (let next: string | null = path, n = 1; next !== null; n++) {
        const [after, byNumber]: Page[] = [
          await page(app, actor, next, name),
          await page(app, actor, `${path}&page=${n}`, name),
        ];
        assert.deepEqual([after!.total, byNumber!.total], [
          rows.length,
          rows.length,
        ]);
        shown!.push(...after!.shown);
        numbered!.push(...byNumber!.shown);
        next = after!.next;
      }
      assert.deepEqual([shown, numbered], [wanted, wanted], sort);
    }
  }
});

Deno.test("of accounts that an index counts, those on their way out are neither shown nor counted", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const [team, other] = [await crm.team(), await crm.team()];
  const member = await crm.user({ teams: [team] });
  await newField(crm.admin, { label: "Size", type: "numeric" });
  const all = 2 * matches + 2;
  await runChange(
    app,
    `insert into accounts (id, company_id, team_id, name, name_key, last_activity_at, created_at, updated_at)
      select ${idSql("i")}, ${crm.id}, iif(i % 2, ${team}, ${other}), 'Firm ' || i, 'x',
        printf('2026-01-01 %02d:%02d:%02d', i / 3600, i / 60 % 60, i % 60), ${stamps} from (${numbers(all)})`,
  );
  await insertValues(app, "size", "accounts", "1");
  const size: Written = ["account.custom_fields.size", "eq", 1];
  const name: Written = ["b2b_account.fixed_fields.name", "ct", "irm "];
  const both = async (actor: Actor) => {
    const pages = [];
    for (const node of [size, name]) {
      const { total, shown } = await page(app, actor, "/v1/accounts/filter?per_page=2", node);
      pages.push([total, ...shown]);
    }
    assert.deepEqual(pages[0], pages[1]);
    return pages[0];
  };
  assert.deepEqual(await both(crm.admin), [all, makeId(all), makeId(all - 1)]);
  assert.deepEqual(await both(member), [all / 2, makeId(all - 1), makeId(all - 3)]);
  await runChange(
    app,
    `insert into staged_work (kind, subject, company_id, created_at)
      values ('account_removal', '${makeId(all - 1)}', ${crm.id}, '2026-01-01 00:00:00')`,
  );
  assert.deepEqual(await both(crm.admin), [all - 1, makeId(all), makeId(all - 2)]);
  assert.deepEqual(await both(member), [all / 2 - 1, makeId(all - 3), makeId(all - 5)]);
});

async function page(app: App, actor: Actor, path: string, node: Written): Promise<Page> {
  const { status, text, body } = await actor.call("POST", path.replace(app.url, ""), {
    filter: expandFilter([node]),
  });
  assert.equal(status, 200, text);
  return {
    total: body.pagination.total,
    next: body.pagination.urls.next,
    shown: body.data.map((each: Body) => each.id),
  };
}

/** Gives the records the number 1 in the field. */
async function insertValues(app: App, field: string, table: string, which: string): Promise<void> {
  await runChange(
    app,
    `insert into custom_values (field, owner, number, b2c, team_id)
      select f.seq, o.seq, 1, o.b2c, o.team_id from fields f cross join ${table} o where f.name = '${field}' and ${which}`,
  );
}

function numbers(most: number): string {
  return `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${most}) select i from n`;
}

function idSql(n: string): string {
  return `printf('00000000-0000-7000-8000-%012d', ${n})`;
}

function makeId(n: number): string {
  return `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;
}

async function runChange(app: App, sql: string): Promise<void> {
  await app.deps.db.write([{ sql, args: [] }]);
}
