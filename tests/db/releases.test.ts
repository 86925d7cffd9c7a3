/** Each version brings the files of earlier ones up to date and answers as they did. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { formatTimestamp } from "../../src/core/time.ts";
import { version } from "../../src/core/version.ts";
import { deliverReports } from "../../src/insight/scheduled/deliver.ts";
import { migrationTags } from "../../src/platform/database/migration_tags.ts";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { findLosses, readRelease, startRelease, tokenFor } from "../support/release.ts";

/**
 * Until a version is released, a change of the tables requires a new file of it: see
 * `tests/support/make_release.ts`.
 */
const releases = ["0.1.0"];

/** Lists of the service itself, to which later versions add names, by path: where they are in the answer. */
const growing: Readonly<Record<string, string>> = {
  "/v1/webhook-events": "data",
  "/v1/me": "rights",
  "/v1/rights-groups": "data.rights",
};

/** Returns the answer `later` without what its growing list has and that of `earlier` has not. */
function withoutAdded(earlier: Body, later: Body, [member, ...deeper]: string[]): Body {
  const [before, after] = [earlier[member!], later[member!]];
  const kept = deeper.length > 0
    ? after.map((item: Body, index: number) => withoutAdded(before[index], item, deeper))
    : after.filter((item: unknown) => before.some((each: unknown) => readName(each) === readName(item)));
  return { ...later, [member!]: kept };
}

/** Returns the name of an item of a list. */
function readName(item: unknown): unknown {
  return typeof item === "object" ? Object(item).name ?? Object(item).event_name : item;
}

for (const release of releases) {
  Deno.test(`a file of ${release} is brought up to date: it has every migration and the schema of a new file`, async () => {
    await using app = await startRelease(release);
    await using empty = await startApp();
    const applied = await app.sql("select tag from migrations order by tag");
    assert.deepEqual(applied.map(({ tag }) => tag), [...migrationTags]);
    assert.deepEqual(await readSchema(app), await readSchema(empty));
    assert.deepEqual(await app.sql("pragma integrity_check"), [{ integrity_check: "ok" }]);
    assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
  });

  Deno.test(`the records of a file of ${release} read back through the API as its version gave them`, async () => {
    const { answers, user_id } = await readRelease(release);
    await using app = await startRelease(release);
    const token = await tokenFor(app, user_id);
    const lost: string[] = [];
    for (const { path, body } of answers) {
      const reply = await app.call(token, "GET", path);
      const list = growing[path];
      const now = list === undefined ? reply.body : withoutAdded(body, reply.body, list.split("."));
      lost.push(...findLosses(body, now).map((at) => `${path}: ${at}`));
    }
    assert.deepEqual(lost, []);
    assert.ok(answers.length > 60);
  });

  Deno.test(`reports count the records of a file of ${release} as they show, with their present owners`, async () => {
    const { user_id } = await readRelease(release);
    await using app = await startRelease(release);
    const token = await tokenFor(app, user_id);
    const [{ company_id }] = await app.sql("select company_id from users where id = ?", user_id) as [
      { company_id: number },
    ];
    const readTotal = async (indicator: string) => {
      const query =
        `indicators=${indicator}&group_by=&start_at=2000-01-01 00:00:00&end_at=2100-01-01 00:00:00`;
      return (await app.call(token, "GET", `/v1/reports/metrics?${query}`)).body.data[0].value;
    };
    const there = async (sql: string) =>
      Number((await app.sql(`select count(*) as n from ${sql}`, company_id))[0]!.n);
    const contacts = await there("contacts where company_id = ?");
    assert.ok(contacts > 0);
    assert.equal(await readTotal("contacts.b2b.total") + await readTotal("contacts.b2c.total"), contacts);
    const rows: Readonly<Record<string, string>> = {
      "cases.created": "cases where company_id = ?",
      "cases.open": "cases where company_id = ? and status = 'open'",
      "activities.created": "activities where company_id = ?",
      "leads.created": "leads where company_id = ?",
      "tasks.created": "tasks where company_id = ?",
      "notes.created": "notes where company_id = ?",
      "users.total": "users where company_id = ? and deleted_at is null",
    };
    for (const [indicator, sql] of Object.entries(rows)) {
      assert.equal(await readTotal(indicator), await there(sql), indicator);
    }
    const [account] = await app.sql(
      "select user_id, count(*) as n from accounts where company_id = ? group by user_id order by n desc limit 1",
      company_id,
    );
    const byUser = await app.call(
      token,
      "GET",
      "/v1/reports/metrics?indicators=accounts.b2b.total,accounts.b2c.total&end_at=2100-01-01 00:00:00",
    );
    const own = byUser.body.data.filter((row: { user_id: number | null }) =>
      row.user_id === account!.user_id
    );
    const sum = own.reduce((total: number, { value }: { value: number }) => total + value, 0);
    assert.equal(sum, account!.n);
  });

  Deno.test(`the counters of the company as a whole agree with the records of a file of ${release}`, async () => {
    await using app = await startRelease(release);
    for (
      const { kind, rows } of [
        { kind: "leads_by_state", rows: "select company_id, state as status from leads where hidden = 0" },
        { kind: "cases_by_status", rows: "select company_id, status from cases" },
      ]
    ) {
      const there = await app.sql(
        `select company_id, status, count(*) as n from (${rows}) group by company_id, status`,
      );
      assert.ok(there.length > 0, kind);
      const counted = "select company_id, status, n from totals where kind = ? and n <> 0 order by 1, 2";
      assert.deepEqual(await app.sql(counted, kind), there, kind);
    }
  });

  Deno.test(`a report that a process of ${release} had claimed goes on after its lease, one that was due at once`, async () => {
    const { now } = await readRelease(release);
    await using app = await startRelease(release, (file) => {
      using db = new DatabaseSync(file);
      const names =
        "company_id, user_id, indicator_set_id, frequency, filters, zone, created_at, updated_at, version";
      const copy = db.prepare(
        `insert into scheduled_reports (id, name, next_date, next_at, wanted_at, ${names})
        select ?, ?, ?, ?, ?, ${names} from scheduled_reports limit 1`,
      );
      const due = ["2026-03-02", Date.UTC(2026, 2, 2, 6)] as const;
      copy.run("1", "Due", ...due, null);
      copy.run("2", "Wanted", "2026-03-09", Date.UTC(2026, 2, 9, 6), now);
      db.prepare(
        "update scheduled_reports set name = ?, next_date = ?, next_at = ?, attempt_at = ?, attempts = 1 " +
          "where length(id) > 1",
      ).run("Claimed", ...due, now + 30_000);
    });
    const listDelivered = async () =>
      (await app.sql(
        "select name from report_deliveries where created_at >= ? order by name",
        formatTimestamp(now),
      ))
        .map(({ name }) => name);
    assert.equal(await deliverReports(app.deps, now), 2);
    assert.deepEqual(await listDelivered(), ["Due", "Wanted"]);
    app.clock.set(now + 30_000);
    assert.equal(await deliverReports(app.deps, now + 30_000), 1);
    assert.deepEqual(await listDelivered(), ["Claimed", "Due", "Wanted"]);
    assert.equal(await deliverReports(app.deps, now + 60_000), 0);
  });

  Deno.test(`the records of a file of ${release} are searched, changed and counted`, async () => {
    const { user_id } = await readRelease(release);
    await using app = await startRelease(release);
    const token = await tokenFor(app, user_id);
    const total = async (query: string) =>
      (await app.call(token, "GET", `/v1/accounts${query}`)).body.pagination.total;
    const [all, [account]] = [
      await total(""),
      (await app.call(token, "GET", "/v1/accounts?search=full")).body.data,
    ];
    const fixed_fields = [{ name: "name", value: "Öl und Räder" }];
    const changed = await app.call(token, "PUT", `/v1/accounts/${account.id}`, { fixed_fields });
    assert.equal(changed.status, 200, changed.text);
    assert.equal(await total("?search=räder"), 1);
    const filter = [{ field: "account.name", operator: "ct", value: "ÖL UND" }];
    const found = await app.call(token, "POST", "/v1/accounts/filter", { filter });
    assert.deepEqual(found.body.data.map(({ id }: { id: string }) => id), [account.id]);
    const made = await app.call(token, "POST", "/v1/accounts", { fixed_fields });
    assert.equal(made.status, 201, made.text);
    assert.equal(await total(""), all + 1);
  });
}

Deno.test("an answer that lacks or changes a value is found, one that adds a key is not", () => {
  const earlier = { id: 1, team: { name: "North" }, tags: [{ id: 1 }], none: null };
  assert.deepEqual(findLosses(earlier, { ...earlier, team: { name: "North", city: null }, more: true }), []);
  assert.deepEqual(findLosses(earlier, { id: "1", team: {}, tags: [], none: null }), [
    "id",
    "team.name",
    "tags",
  ]);
  assert.deepEqual(findLosses(earlier, { ...earlier, tags: [{}], team: null }), ["team", "tags.0.id"]);
  assert.deepEqual(findLosses(earlier, undefined), [""]);
});

Deno.test("the changelog begins with the version of the service, and its file is one of the releases", async () => {
  const changelog = await Deno.readTextFile(new URL("../../src/docs/guides/changelog.md", import.meta.url));
  const versions = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map((match) => match[1]!);
  assert.equal(versions[0], version);
  assert.deepEqual(releases.toSorted(), versions.toSorted());
});

/** The tables with their columns, the indexes and the triggers, by name. */
async function readSchema(app: TestApp): Promise<unknown[]> {
  return await app.sql(
    "select m.type, m.name, (select group_concat(c.name, ' ') from (select name from pragma_table_xinfo(m.name) " +
      "order by name) c) as columns, iif(m.type = 'table', null, m.sql) as sql from sqlite_schema m order by 1, 2",
  );
}
