import assert from "node:assert/strict";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { newCase, newPath } from "./parts.ts";

/** How the case went from status to status, as kept. */
async function changes(app: TestApp, of: Body) {
  return await app.sql(
    "select at, from_status, to_status, reason, user_id from case_status_changes where case_id = ? order by id",
    of.id,
  );
}

Deno.test("every change of a case's status is kept with its moment and who made it, its making is none", async () => {
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
