import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { send, startApp } from "../support/app.ts";
import { withTwoProcesses } from "../support/race.ts";

Deno.test("thirty simultaneous changes of one record all succeed, in one process and in two", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const field = await admin.call("POST", "/v1/fields/account", { label: "Fuel", type: "single_choice" });
  const path = `/v1/fields/account/${field.body.id}`;
  let options = 0;
  const add = async (urls: readonly string[]) => {
    const replies = await Promise.all(
      Array.from(
        { length: 30 },
        (_, n) =>
          send(`${urls[n % urls.length]}${path}/options`, "POST", admin.token, {
            value: `Option ${++options}`,
          }),
      ),
    );
    assert.deepEqual(replies.filter(({ status }) => status !== 201).map(({ text }) => text), []);
  };
  await add([app.url]);
  await withTwoProcesses("tests/sweep/server.ts", app, add);
  assert.equal((await admin.call("GET", path)).body.options.length, 60);
});

Deno.test("a change that keeps losing the race is 503 with Retry-After and has no effect", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body } = await admin.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "x" }] });
  const path = `/v1/accounts/${body.id}`;
  const put = (name: string, value: string) => ({ fixed_fields: [{ name, value }] });
  let times = 0;
  const { db } = app.deps;
  const overtaken: typeof db = {
    ...db,
    async read(statements) {
      const results = await db.read(statements);
      if (++times > 100) throw new Error("it never ends");
      assert.equal((await admin.call("PUT", path, put("city", `Town ${times}`))).status, 200);
      return results;
    },
  };
  const headers = { Authorization: `Bearer ${admin.token}`, "Content-Type": "application/json" };
  const request = new Request(`http://localhost${path}`, {
    method: "PUT",
    headers,
    body: JSON.stringify(put("name", "y")),
  });
  const reply = await createApp({ ...app.deps, db: overtaken }).fetch(request);
  assert.equal(reply.status, 503, await reply.text());
  assert.equal(reply.headers.get("retry-after"), "1");
  const { fixed_fields } = (await admin.call("GET", path)).body;
  assert.deepEqual([fixed_fields[0].value, fixed_fields[3].value], ["x", `Town ${times}`]);
});
