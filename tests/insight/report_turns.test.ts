/** Few reports hold their rows at once, and companies take turns. */
import assert from "node:assert/strict";
import { findIndicator } from "../../src/insight/indicators/catalogue.ts";
import { computeFigures } from "../../src/insight/reports/figures.ts";
import { noFilters, type Reader } from "../../src/insight/reports/question.ts";
import type { Member } from "../../src/core/access.ts";
import {
  type Database,
  ReadTooMuch,
  type Result,
  type ThreadedRead,
} from "../../src/platform/database/database.ts";
import { createApp } from "../../src/app.ts";
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
  const makeReader = (id: number): Reader => {
    const readOnThread = () => {
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
    const db: Database = { ...app.deps.db, readOnThread };
    return { deps: { db }, caller: { ...member, companyId: id }, company };
  };
  const question = {
    indicators: [findIndicator("leads.created")!],
    start: 0,
    end: 60,
    groupBy: [],
    filters: noFilters,
    at: "" as const,
  };
  const asked = [1, 1, 1, 1, 2, 3, 3, 4].map((id) =>
    computeFigures(makeReader(id), question, [{ start: 0, end: 60 }], { names: "group_by", ofGroup: 1 })
  );
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  await settle();
  assert.deepEqual(reading.map(({ company }) => company), [1, 1, 2, 3]);
  for (; reading.length > 0; await settle()) reading[0]!.answer();
  assert.equal((await Promise.all(asked)).length, 8);
  assert.equal(most, 4);
});

Deno.test("a report that would hold too many rows at once is refused by the parameter that makes them many", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const asked: ThreadedRead[] = [];
  const db: Database = {
    ...app.deps.db,
    readOnThread(_statements, how) {
      asked.push(how);
      return Promise.reject(new ReadTooMuch());
    },
  };
  const full = createApp({ ...app.deps, db });
  const answer = await full.fetch(
    new Request("http://localhost/v1/reports/metrics?indicators=leads.created&group_by=user", {
      headers: { Authorization: `Bearer ${admin.token}` },
    }),
  );
  const { status, body } = { status: answer.status, body: await answer.json() };
  assert.deepEqual([status, body.errors[0].path, body.errors[0].code], [422, "query.group_by", "max"]);
  const [{ company, most }] = asked as [ThreadedRead];
  assert.ok(company === id && most! <= 64 * 1024 * 1024);
});
