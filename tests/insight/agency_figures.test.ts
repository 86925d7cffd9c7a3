/** Which leads the users of an agency count: its own and those without an agency, in every team. */
import assert from "node:assert/strict";
import { rollUpFacts } from "../../src/insight/rollups/run.ts";
import { makeSales } from "../sales/leads_world.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";

const day = 24 * 3_600_000;
const range = "start_at=2026-02-01 00:00:00&end_at=2026-04-01 00:00:00";

/** The whole figure of each indicator, as metrics and as the sum of a series. */
async function readFigures(by: Actor, names: readonly string[]): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {};
  for (const name of names) {
    const values = async (path: string) => {
      const { status, text, body } = await by.call(
        "GET",
        `/v1/reports/${path}?indicators=${name}&${range}&group_by=company&interval=month`,
      );
      assert.equal(status, 200, text);
      return body.data.reduce((sum: number, { value }: Body) => sum + Number(value), 0);
    };
    found[name] = [await values("metrics"), await values("time-series")];
  }
  return found;
}

Deno.test("an agency counts its leads and those without one, in every team, and none of another agency", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { company, agent, agency, dealer, admin } = place;
  const [other, far] = [await company.team(), await company.team({ team_type: "dealer" })];
  const otherAgent = await company.user({ teams: [other], rights: ["agency"] });
  const farMember = await company.user({ teams: [far] });
  const leads: [number | null, number | null][] = [
    [dealer, agency],
    [far, agency],
    [far, null],
    [far, other],
    [null, agency],
    [null, other],
  ];
  for (const [team_id, agency_team_id] of leads) {
    const { id } = await place.lead({ team_id, agency_team_id });
    if (team_id === far) {
      assert.equal((await farMember.call("PUT", `/v1/leads/${id}/accept`, {})).status, 200);
    }
  }
  const names = ["leads.created", "leads.assigned", "leads.accepted", "leads.open"];
  const of = (...numbers: number[]) =>
    Object.fromEntries(names.map((name, at) => [name, [numbers[at], numbers[at]]]));
  for (const rolledUp of [false, true]) {
    if (rolledUp) {
      app.clock.move(40 * day);
      await rollUpFacts(app.deps);
    }
    assert.deepEqual(await readFigures(admin, names), of(6, 4, 3, 3));
    assert.deepEqual(await readFigures(agent, names), of(4, 3, 2, 2));
    assert.deepEqual(await readFigures(otherAgent, names), of(3, 2, 2, 1));
    assert.deepEqual(await readFigures(farMember, names), of(3, 3, 3, 0));
  }
});
