/** Builders for the tests of tasks. */
import assert from "node:assert/strict";
import type { Actor, Body, TestApp, TestCompany } from "../support/app.ts";
import { newPath, type Path } from "./parts.ts";

export interface Scene {
  readonly app: TestApp;
  readonly company: TestCompany;
  readonly team: number;
  readonly member: Actor;
  readonly path: Path;
}

/** A company with a team, a member of it, and a path. The clock is at 2026-03-02 09:00:00. */
export async function makeScene(app: TestApp): Promise<Scene> {
  const company = await app.company();
  const team = await company.team();
  const member = await company.user({ teams: [team] });
  return { app, company, team, member, path: await newPath(company.admin) };
}

/** Creates an activity of the named types; expects 201. */
export async function act(by: Actor, path: Path, caseId: string, names: string[], more: object = {}) {
  const reply = await by.call("POST", `/v1/cases/${caseId}/activities`, {
    activity_type_ids: names.map((name) => path.types[name]),
    ...more,
  });
  assert.equal(reply.status, 201, reply.text);
  return reply.body as Body;
}

/** Returns a task as answers about its case show it. */
export function inCase({ case: _, ...task }: Body): Body {
  return task;
}

/** Plans a call, by default for tomorrow from nine to ten. */
export async function plan(by: Actor, path: Path, caseId: string, more: object = {}): Promise<Body> {
  const { task } = await act(by, path, caseId, ["Call"], {
    task: { type: "call", start_at: "2026-03-03 09:00:00", end_at: "2026-03-03 10:00:00", ...more },
  });
  return task;
}
