import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { nameFields } from "./leads_world.ts";
import { notesWorld } from "./notes_world.ts";

Deno.test("null for created_at or b2c is the same as absent", async () => {
  await using app = await startApp();
  const { admin, customer } = await notesWorld(app);
  const { account_id, contact_id, case_id, activity_id } = await customer();
  const opened = (await admin.call("GET", `/v1/cases/${case_id}`)).body;
  const [type] =
    (await admin.call("GET", `/v1/relations-paths/${opened.relations_path.id}`)).body.activity_types
      .milestones;
  assert.ok(activity_id);
  app.clock.move(60_000);
  const bodies: [string, object][] = [
    ["/v1/accounts", { b2c: null, fixed_fields: nameFields({ name: "Ada Ltd" }) }],
    [`/v1/accounts/${account_id}/contacts`, { fixed_fields: nameFields({ last_name: "Byron" }) }],
    ["/v1/cases", { user_id: admin.id, contact_id, relations_path_id: opened.relations_path.id }],
    ["/v1/notes", { note: "x", case_id }],
    [`/v1/cases/${case_id}/activities`, { activity_type_ids: [type.id] }],
  ];
  for (const [path, body] of bodies) {
    const made = await admin.call("POST", path, { ...body, created_at: null });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.body.created_at, "2026-03-02 09:01:00", path);
    assert.notEqual(made.body.b2c, true, path);
  }
});
