import assert from "node:assert/strict";
import { send, startApp } from "../support/app.ts";
import { startProcess } from "../support/process.ts";
import { serve } from "../support/service.ts";
import { canTrace } from "./traced.ts";

const isCi = Deno.env.get("CI") === "true";
const traces = await canTrace();
if (!traces) console.log("strace is missing, so no disk is full");

Deno.test({
  name: "with a full disk, changes and readiness are 503, and work again afterwards",
  ignore: !traces && !isCi,
  async fn() {
    assert.ok(traces, "strace must be installed where CI=true");
    await using app = await startApp();
    const { admin } = await app.company();
    // Lets the file writes 400 to 500 of each thread fail. Deno's code cache is off, because its writes would
    // count.
    const injected = ["-e", "trace=pwrite64", "-e", "inject=pwrite64:error=ENOSPC:when=400..500"];
    const server = await startProcess(
      [
        "-D",
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        ...injected,
        Deno.execPath(),
        "run",
        "--no-code-cache",
        ...serve.slice(1),
      ],
      { DATABASE_URL: `file:${app.file}`, STORAGE_URL: `file:${app.folder}/files`, PORT: "0" },
      { command: "strace" },
    );
    const create = async () => {
      const account = { fixed_fields: [{ name: "name", value: "Acme ".repeat(20) }] };
      const { status, body } = await send(`${server.url}/v1/accounts`, "POST", admin.token, account);
      if (status !== 201) assert.deepEqual([status, body.code], [503, "unavailable"]);
      return status;
    };
    const ready = async () => (await send(`${server.url}/ready`, "GET", null)).status;
    /** Sixteen simultaneous writes, which a separate thread commits. */
    const round = async () =>
      (await Promise.all(Array.from({ length: 16 }, create))).filter((n) => n === 201).length;
    try {
      assert.equal(await ready(), 200);
      let made = 0;
      let [refused, unready] = [0, 0];
      for (let n = 0; n < 300 && (refused === 0 || made < 16); n++) {
        made = await round();
        if (made === 16) continue;
        refused += 16 - made;
        if (await ready() === 503) unready++;
      }
      assert.ok(
        refused > 0 && unready > 0,
        `${refused} calls were refused, and ${unready} times it was not ready`,
      );
      assert.equal(made, 16, "all succeed again");
      assert.equal(await ready(), 200);
    } finally {
      const { code } = await server.kill();
      assert.equal(code, 0, server.output());
    }
    const [checked] = await app.sql("pragma integrity_check");
    assert.deepEqual(checked, { integrity_check: "ok" });
  },
});
