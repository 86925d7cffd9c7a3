import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { send } from "../support/app.ts";
import { fill } from "./place.ts";
import { assertProblem, prepare, startApp, sweep, writes } from "./sweep.ts";
import { takeSample } from "../support/sample.ts";

Deno.test("a write whose token ends in another process after its reads writes nothing, and is 401", async (t) => {
  await using app = await startApp();
  const place = await fill(app);
  const { db } = app.deps;
  const elsewhere = openFile(app.file);
  const found: { token: string; written: number } = { token: "", written: 0 };
  const ending: Database = {
    ...db,
    async write(statements) {
      const args = [sha256(found.token)];
      await elsewhere.write([{ sql: "delete from access_tokens where hash = ?", args }]);
      const results = await db.write(statements);
      found.written++;
      return results;
    },
  };
  const { fetch } = createApp({ ...app.deps, db: ending });
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => fetch(request),
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  try {
    await sweep(t, takeSample(writes), app, async (endpoint, at) => {
      // The refused call uses up nothing, so the same one is sent again with a key.
      const call = await prepare(place, endpoint);
      const { client_id, user_id } = await readOwner(call.token);
      for (const key of [false, true]) {
        Object.assign(found, { token: call.token, written: 0 });
        const headers: Record<string, string> = key ? { "Idempotency-Key": `key-${place.next()}` } : {};
        const reply = await send(url + call.path, call.method, call.token, call.body, headers);
        assert.equal(reply.status, 401, `${at}${key ? " with a key" : ""}: ${reply.text}`);
        assertProblem(reply, at);
        assert.equal(found.written, 0, at);
        await app.idle();
        await revive(call.token, client_id, user_id);
      }
    });
  } finally {
    await elsewhere.close();
  }

  async function readOwner(token: string) {
    const [row] = await app.sql("select client_id, user_id from access_tokens where hash = ?", sha256(token));
    return row!;
  }

  async function revive(token: string, clientId: unknown, userId: unknown) {
    await db.write([{
      sql: "insert into access_tokens (hash, id, client_id, user_id, expires_at, created_at) " +
        "values (?, ?, ?, ?, ?, '')",
      args: [
        sha256(token),
        `revived-${place.next()}`,
        String(clientId),
        userId as number | null,
        Date.UTC(2100, 0),
      ],
    }]);
  }
});
