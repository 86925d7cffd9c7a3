/** Few reports hold their rows at once, and companies take turns. */
import assert from "node:assert/strict";
import { indicatorOf } from "../../src/insight/indicators/catalogue.ts";
import { figuresOf } from "../../src/insight/reports/figures.ts";
import { noFilters, type Reader } from "../../src/insight/reports/question.ts";
import type { Member } from "../../src/core/access.ts";
import type { Database, Result } from "../../src/platform/database/database.ts";
import { factKinds } from "../../src/core/fact_kinds.ts";
import { sql } from "../../src/db/statements.ts";
import { startApp } from "../support/app.ts";

const member: Member = {
  companyId: 1,
  userId: 1,
  userType: "admin",
  rights: new Set(),
  teamIds: [],
  groupIds: [],
  visibleTeamIds: [],
  activeTeamId: null,
};

Deno.test("at most four reports hold rows at once, two of a company, and all are answered", async () => {
  await using app = await startApp();
  const reading: { company: number; answer(): void }[] = [];
  let most = 0;
  const readerOf = (id: number): Reader => {
    const readAside = () => {
      const { promise, resolve } = Promise.withResolvers<Result[]>();
      const read = {
        company: id,
        answer() {
          reading.splice(reading.indexOf(read), 1);
          resolve([{ rows: [], changes: 0 }]);
        },
      };
      reading.push(read);
      most = Math.max(most, reading.length);
      return promise;
    };
    const company = {
      id,
      name: "C",
      locale: "en-GB",
      timezone: "UTC",
      currency: "EUR",
      product_mode: "advanced",
    };
    const db: Database = { ...app.deps.db, readAside };
    return { deps: { db }, caller: { ...member, companyId: id }, company };
  };
  const question = {
    indicators: [indicatorOf("leads.created")!],
    start: 0,
    end: 60,
    groupBy: [],
    filters: noFilters,
    at: "" as const,
  };
  const asked = [1, 1, 1, 1, 2, 3, 3, 4].map((id) =>
    figuresOf(readerOf(id), question, [{ start: 0, end: 60 }], { names: "group_by", ofGroup: 1 })
  );
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  await settle();
  assert.deepEqual(reading.map(({ company }) => company), [1, 1, 2, 3]);
  for (; reading.length > 0; await settle()) reading[0]!.answer();
  assert.equal((await Promise.all(asked)).length, 8);
  assert.equal(most, 4);
});

Deno.test("a report reads each name once, however many rows name its id", async () => {
  await using app = await startApp();
  const world = await app.company();
  const { id, admin } = world;
  const team = await world.team({ name: "North" });
  await app.deps.db.write([
    sql`insert into deleted_names (company_id, kind, id, name) values (${id}, 'lead_types', 'one', 'Old')`,
    sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 40)
      insert into fact_dims (id, company_id, key) select i, ${id},
      json_array(null, iif(i % 2, 'one', null), 'source ' || i, 1, null, null, null, null, null) from n`,
    sql`insert into facts (company_id, kind, at, recorded_at, user_id, team_id, dim_id)
      select ${id}, ${factKinds.case_created}, 10, 10, ${admin.id}, ${team}, d.id from fact_dims d`,
  ]);
  const read: Result[][] = [];
  const db: Database = {
    ...app.deps.db,
    async readAside(...given) {
      const results = await app.deps.db.readAside(...given);
      read.push(results);
      return results;
    },
  };
  const company = {
    id,
    name: "Acme",
    locale: "en-GB",
    timezone: "UTC",
    currency: "EUR",
    product_mode: "advanced",
  };
  const reader: Reader = { deps: { db }, caller: { ...member, companyId: id, userId: admin.id }, company };
  const [figures] = await figuresOf(
    reader,
    {
      indicators: [indicatorOf("cases.created")!],
      start: 0,
      end: 60,
      groupBy: ["lead_type", "lead_source", "team", "user", "company"],
      filters: noFilters,
      at: "",
    },
    [{ start: 0, end: 60 }],
    { names: "group_by", ofGroup: 1 },
  );
  assert.deepEqual(figures!.groups[0]!.names, ["Old", "source 1", "North", "Ada Byron admin", "Acme"]);
  assert.equal(figures!.groups.at(-1)!.names[0], null);
  assert.deepEqual(read.map((results) => results.map(({ rows }) => rows.length)), [[40], [1, 1, 1, 1]]);
});
