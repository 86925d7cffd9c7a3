/** Leads over a remote database, whose engine differs from that of a file. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { farDatabase } from "../support/far.ts";
import { hour, put, tick, ways } from "./leads_states.ts";
import { makeSales } from "./leads_world.ts";

const of = (field: string, operator: string, value: unknown) => ({
  field: `lead.${field}`,
  operator,
  value,
});

Deno.test("leads are accepted, accepted again, deleted, listed and filtered in a remote database as in a file", () =>
  farDatabase(async ({ env }) => {
    await using app = await startApp(env);
    const sales = await makeSales(app);
    const { admin, member, agent, dealer, type } = sales;
    const id = await ways.called_after_acceptance!(sales);
    app.clock.move(3 * hour);
    assert.equal(await tick(sales), 1);
    assert.equal((await put(sales, "agent", id, "/assign", { team_id: dealer })).status, 201);
    const { body: again, text } = await put(sales, "member", id, "/accept");
    assert.deepEqual([again.status, again.acceptions?.length], ["accepted", 2], text);
    const gone = await sales.lead({ interest: "Gone" });
    const kept = await sales.lead({ interest: "Kept" });
    assert.equal((await admin.call("DELETE", `/v1/leads/${gone.id}`)).status, 204);

    const filters: [object[], string[]][] = [
      [[of("interest", "sw", "k"), of("lead_source", "eq", "WEBSITE")], [kept.id]],
      [[of("lead_type", "eq", "test drive"), of("status", "eq", "assigned")], [kept.id]],
      [[of("lead_type_id", "in", [type]), of("case_id", "exists", true)], [id]],
      [[of("acceptions.team_id", "eq", dealer)], [id]],
      [[of("account_id", "eq", again.account_id)], [id]],
      [[of("deleted_at", "gte", "NOW-1d")], [gone.id]],
      [[{ or: [of("deleted_at", "exists", true), of("team_id", "eq", dealer)] }], [kept.id, gone.id, id]],
      [[of("created_at", "gt", "NOW-1s"), of("created_at", "lte", "NOW")], [kept.id]],
      [[of("expires_at", "exists", true)], []],
    ];
    for (const [filter, expected] of filters) {
      const reply = await admin.call("POST", "/v1/leads/filter", { filter });
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(
        reply.body.data.map((lead: { id: string }) => lead.id),
        expected,
        JSON.stringify(filter),
      );
      assert.equal(reply.body.pagination.total, expected.length);
    }
    const queries = [
      `lead_types=${type}`,
      "lead_sources=website,fair",
      `teams=${dealer}&sort=-external_weight`,
      "groups=1",
      `users=${member.id}&status=assigned`,
      "start_at=2026-03-01 00:00:00&end_at=2027-03-01 00:00:00&sort=updated_at",
    ];
    for (const actor of [admin, member, agent]) {
      for (const query of queries) {
        const reply = await actor.call("GET", `/v1/leads?${query}`);
        assert.equal(reply.status, 200, reply.text);
        assert.equal(reply.body.pagination.total, /users|groups/.test(query) ? 0 : 2, query);
      }
    }
  }));
