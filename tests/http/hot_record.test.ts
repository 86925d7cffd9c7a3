import assert from "node:assert/strict";
import { send, startApp } from "../support/app.ts";
import { twoOf } from "../support/race.ts";

Deno.test("thirty changes of one record at once all happen, in one process and over two", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const field = await admin.call("POST", "/v1/fields/account", { label: "Fuel", type: "single_choice" });
  const path = `/v1/fields/account/${field.body.id}`;
  const add = async (urls: readonly string[]) => {
    const replies = await Promise.all(
      Array.from(
        { length: 30 },
        (_, n) =>
          send(`${urls[n % urls.length]}${path}/options`, "POST", admin.token, { value: `Option ${n}` }),
      ),
    );
    assert.deepEqual(replies.filter(({ status }) => status !== 201).map(({ text }) => text), []);
  };
  await add([app.url]);
  await twoOf("tests/sweep/server.ts", app, add);
  assert.equal((await admin.call("GET", path)).body.options.length, 60);
});
