import assert from "node:assert/strict";
import { inFolder } from "../support/engines.ts";
import { runCommand } from "../support/process.ts";

Deno.test("a port that is taken ends the start with one line that names it", () =>
  inFolder(async (folder) => {
    using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = taken.addr;
    const env = { DATABASE_URL: `file:${folder}/crm.db`, PORT: String(port), LOG_LEVEL: "off" };
    for (const entry of ["src/entry/deno.ts", "src/cli/dev.ts"]) {
      const { code, stderr } = await runCommand(["run", "-q", "-A", entry], env);
      assert.equal(code, 1);
      assert.equal(stderr.trim(), `PORT ${port} is in use on 127.0.0.1: another program listens there`);
    }
  }));
