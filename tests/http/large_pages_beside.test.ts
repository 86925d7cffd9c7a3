/**
 * Many large pages at once, plain and compressed, keep no other call waiting. `ENCODINGS` lists the encodings; `br`
 * takes the service the most time.
 */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { startMeasured } from "../support/turns.ts";

const accounts = 100;
const encodings = (Deno.env.get("ENCODINGS") ?? "br").split(",");

for (const encoding of encodings) {
  Deno.test(`while 20 pages of 7 MB are read at once (${encoding}), others are served`, async () => {
    await using app = await startApp();
    const { admin } = await app.company();
    const options = Array.from({ length: 200 }, (_, n) => ({ value: `${n} `.padEnd(100, "o") }));
    const fields = [
      { name: "long", type: "multi_line" },
      { name: "one", type: "single_choice", options },
      { name: "two", type: "single_choice", options },
    ];
    for (const field of fields) {
      const made = await admin.call("POST", "/v1/fields/account", { ...field, label: field.name });
      assert.equal(made.status, 201, made.text);
    }
    const words = Array.from({ length: 2_600 }, (_, n) => `${n} words of an account `.padEnd(25));
    const custom_fields = [{ name: "long", value: words.join("") }];
    for (let n = 0; n < accounts; n++) {
      const made = await admin.call("POST", "/v1/accounts", {
        fixed_fields: [{ name: "name", value: `Account ${n}` }],
        custom_fields,
      });
      assert.equal(made.status, 201, made.text.slice(0, 300));
    }
    const { server, waits } = await startMeasured(app);
    try {
      const headers = { "Authorization": `Bearer ${admin.token}`, "Accept-Encoding": encoding };
      const page = async () => {
        for (;;) {
          const answer = await fetch(`${server.url}/v1/accounts?per_page=100`, { headers });
          const { length } = await answer.text();
          // On a busy machine a page may meet its deadline.
          if (answer.status !== 503) return [answer.status, length > 7_000_000];
          await new Promise((resolve) => setTimeout(resolve, 1_000));
        }
      };
      let pages: unknown[] = [];
      const { p95, most } = await waits(async () => {
        pages = await Promise.all(Array.from({ length: 20 }, page));
      });
      assert.deepEqual(pages, Array(20).fill([200, true]));
      assert.ok(p95 < 100, `p95 ${p95} ms, longest turn ${most} ms`);
    } finally {
      await server.kill();
    }
  });
}
