/** Shared by the tests of scheduled reports. */
import assert from "node:assert/strict";
import type { Actor, Body, TestApp } from "../support/app.ts";

export const path = "/v1/reports/scheduled";

export const makeAccountBody = (name: string) => ({ fixed_fields: [{ name: "name", value: name }] });

/**
 * Creates a company in Berlin with an indicator set, a colleague and two accounts of this week, on a Monday
 * at 09:00 UTC.
 */
export async function makeScene(app: TestApp) {
  const company = await app.company();
  await app.deps.db.write([{ sql: "update companies set timezone = 'Europe/Berlin'", args: [] }]);
  const team = await company.team();
  const colleague = await company.user({ teams: [team] });
  const { admin } = company;
  for (const name of ["One", "Two"]) {
    assert.equal((await admin.call("POST", "/v1/accounts", makeAccountBody(name))).status, 201);
  }
  const set = await admin.call("POST", "/v1/reports/indicator-sets", {
    name: "Sales",
    indicators: ["accounts.b2b.created", "accounts.b2b.total", "cases.success_rate"],
  });
  assert.equal(set.status, 200, set.text);
  return { company, admin, colleague, team, set: set.body.id as string };
}

/** Schedules a weekly report. */
export async function scheduleReport(
  by: Actor,
  set: string,
  recipients: readonly number[],
  more: object = {},
): Promise<Body> {
  const made = await by.call("POST", path, {
    name: "Weekly sales",
    indicator_set_id: set,
    delivery_frequency: "week",
    recipient_user_ids: recipients,
    ...more,
  });
  assert.equal(made.status, 200, made.text);
  return made.body;
}

/** The kept reports. */
export const readReports = (app: TestApp) =>
  app.sql("select * from report_deliveries order by id") as Promise<Body[]>;
