import assert from "node:assert/strict";
import { notificationTypes } from "../../src/core/notifications.ts";
import { type Actor, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";

const path = "/v1/notifications/preferences";
const everyWay = { app: true, mail: true, push: true };

async function choose(who: Actor, types: object) {
  const reply = await who.call("PUT", path, { types });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.types;
}

Deno.test("by default every notification type uses every way; a choice changes what it names", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [one, two] = [await company.user(), await company.user()];
  const all = Object.fromEntries(notificationTypes.map((type) => [type, everyWay]));
  assert.deepEqual((await one.call("GET", path)).body, { types: all });
  const first = { ...all, note: { app: true, mail: false, push: true } };
  assert.deepEqual(await choose(one, { note: { mail: false } }), first);
  const second = {
    ...first,
    note: { app: true, mail: false, push: false },
    custom: { ...everyWay, app: false },
  };
  assert.deepEqual(
    await choose(one, { note: { push: false }, custom: { app: false }, lead_assigned: {} }),
    second,
  );
  assert.deepEqual((await one.call("GET", path)).body.types, second);
  assert.deepEqual(await choose(one, {}), second);
  assert.deepEqual((await two.call("GET", path)).body.types, all);
});

Deno.test("choices are true or false, of types and ways that there are; others are ignored", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const faults: [object, string][] = [
    [{}, "types required"],
    [{ types: null }, "types required"],
    [{ types: { note: { mail: "no" } } }, "types.note.mail type"],
    [{ types: { note: { mail: null } } }, "types.note.mail required"],
    [{ types: { note: null } }, "types.note required"],
  ];
  for (const [body, fault] of faults) {
    const refused = await admin.call("PUT", path, body);
    assert.equal(refused.status, 422, JSON.stringify(body));
    const { errors } = refused.body;
    assert.deepEqual(errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`), [
      fault,
    ]);
  }
  await choose(admin, { unheard_of: { app: false }, note: { pigeon: false } });
  const stale = await admin.call("PUT", path, { types: {} }, { "If-Match": '"another"' });
  assert.equal(stale.status, 412);
});

Deno.test("two choices at once are both kept", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const reply = await callMeanwhile(app, admin, "PUT", path, async () => {
    await choose(admin, { note: { push: false } });
  }, { types: { note: { mail: false } } });
  assert.equal(reply.status, 200);
  const expected = { app: true, mail: false, push: false };
  assert.deepEqual((await reply.json()).types.note, expected);
  assert.deepEqual((await admin.call("GET", path)).body.types.note, expected);
});

Deno.test("an unlisted notification is in no list or count and cannot be read", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await choose(admin, { custom: { app: false } });
  const body = { message: "Hello", notify: { users: [admin.id] } };
  assert.equal((await admin.call("POST", "/v1/notifications", body)).status, 202);
  const { data, pagination } = (await admin.call("GET", "/v1/notifications")).body;
  assert.deepEqual([data, pagination.total, pagination.unread], [[], 0, 0]);
  const [{ id } = {}] = await app.sql("select id from notifications");
  assert.equal((await admin.call("PUT", `/v1/notifications/${id}/read`)).status, 404);
});

Deno.test("a device belongs to the user who registered it last, who alone can remove it", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [one, two] = [await company.user(), await company.user()];
  const stranger = (await app.company("Other")).admin;
  const device = "/v1/notifications/devices/d:1%2F%3Fx-_";
  const owners = () => app.sql("select user_id, token, type from devices");
  const row = (who: Actor, type: string) => [{ user_id: who.id, token: "d:1/?x-_", type }];
  assert.equal((await one.call("POST", device)).status, 204);
  assert.deepEqual(await owners(), row(one, "iOS"));
  assert.equal((await one.call("POST", device, { type: "Android" })).status, 204);
  assert.deepEqual(await owners(), row(one, "Android"));
  assert.equal((await two.call("POST", device, { type: "iOS" })).status, 204);
  assert.deepEqual(await owners(), row(two, "iOS"));
  assert.equal((await one.call("DELETE", device)).status, 404);
  assert.equal((await stranger.call("POST", device, { type: null })).status, 204);
  assert.deepEqual(await owners(), row(stranger, "iOS"));
  assert.equal((await two.call("DELETE", device)).status, 404);
  assert.equal((await stranger.call("DELETE", device)).status, 204);
  assert.deepEqual(await owners(), []);
  assert.equal((await stranger.call("DELETE", device)).status, 404);
  const refused = await one.call("POST", device, { type: "ios" });
  assert.deepEqual([refused.status, refused.body.errors[0].path, refused.body.errors[0].code], [
    422,
    "type",
    "enum",
  ]);
  const long = await one.call("POST", `/v1/notifications/devices/${"x".repeat(4_097)}`);
  assert.deepEqual([long.status, long.body.errors[0].path, long.body.errors[0].code], [
    422,
    "device_token",
    "max",
  ]);
});
