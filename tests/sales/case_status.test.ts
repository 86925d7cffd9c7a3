import assert from "node:assert/strict";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { newCase, newPath } from "./parts.ts";

/** The stored changes of the case's status. */
async function changes(app: TestApp, of: Body) {
  return await app.sql(
    "select at, from_status, to_status, reason, user_id from case_status_changes where case_id = ? order by id",
    of.id,
  );
}

Deno.test("every change of a case's status is stored with time and user; the opening is not a change", async () => {
  await using app = await startApp();
  const company = await app.company();
  const member = await company.user({ teams: [await company.team()] });
  const path = await newPath(company.admin);
  const made = await newCase(member, path);
  const does = async (who: typeof member, ...types: string[]) => {
    app.clock.move(60_000);
    const reply = await who.call("POST", `/v1/cases/${made.id}/activities`, {
      activity_type_ids: types.map((type) => path.types[type]),
    });
    assert.equal(reply.status, 201, reply.text);
  };
  await does(member, "Offer");
  assert.deepEqual(await changes(app, made), []);
  await does(member, "Sold");
  await does(company.admin, "Reopened");
  await does(member, "Lost");
  const change = (minute: number, from_status: string, to_status: string, user_id: number) => ({
    at: `2026-03-02 09:0${minute}:00`,
    from_status,
    to_status,
    reason: null,
    user_id,
  });
  assert.deepEqual(await changes(app, made), [
    change(2, "open", "closed", member.id),
    change(3, "closed", "open", company.admin.id),
    change(4, "open", "declined", member.id),
  ]);
});

Deno.test("a reopened case has no decline reason", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const { id } = await newCase(admin, path);
  const declined = await admin.call("PUT", `/v1/cases/${id}/decline`, { reason: "Too dear" });
  assert.deepEqual([declined.body.status, declined.body.decline_reason], ["declined", "Too dear"]);
  for (const [type, status] of [["Reopened", "open"], ["Lost", "declined"]] as const) {
    const body = { activity_type_ids: [path.types[type]] };
    assert.equal((await admin.call("POST", `/v1/cases/${id}/activities`, body)).status, 201);
    const { body: now } = await admin.call("GET", `/v1/cases/${id}`);
    assert.deepEqual([now.status, now.decline_reason], [status, null]);
  }
});

Deno.test("a milestone without a chance of success does not change that of the case", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const { id } = await newCase(admin, path);
  for (const [type, chance] of [["Offer", 60], ["Reopened", 60], ["Contacted", 60], ["Sold", 100]] as const) {
    const body = { activity_type_ids: [path.types[type]] };
    assert.equal((await admin.call("POST", `/v1/cases/${id}/activities`, body)).status, 201);
    assert.equal((await admin.call("GET", `/v1/cases/${id}`)).body.chance_of_success, chance, type);
  }
});
