import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { exportLeaseMs, makeExports } from "../../src/insight/exports/make.ts";
import { removeObjects } from "../../src/db/objects.ts";
import { startApp } from "../support/app.ts";
import { startProcess } from "../support/process.ts";
import { programArguments } from "../support/programs.ts";

Deno.test("an export goes on after SIGKILL of the process that stored its file, which leaves nothing behind", async () => {
  const [began, killed] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const stored = new Map<string, Uint8Array>();
  await using bucket = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const bytes = await request.bytes();
    if (request.method === "DELETE") stored.delete(pathname);
    if (request.method !== "PUT") return new Response(null, { status: 204 });
    stored.set(pathname, bytes);
    if (stored.size === 1) {
      // The process never learns that it stored the file.
      began.resolve(pathname);
      await killed.promise;
    }
    return new Response(null, { headers: { ETag: '"1"' } });
  });
  const storage = {
    STORAGE_URL: `s3://crm?endpoint=http://127.0.0.1:${bucket.addr.port}&region=eu-central-1`,
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "secret",
  };
  await using app = await startApp(storage);
  const { admin } = await app.company();
  const server = await startProcess(programArguments("tests/sweep/server.ts"), {
    DATABASE_URL: `file:${app.file}`,
    ...storage,
    NOW: String(app.clock.now()),
    LOG_LEVEL: "error",
  });
  const asked = await fetch(`${server.url}/v1/reports/export?indicators=users.total&group_by=company`, {
    headers: { Authorization: `Bearer ${admin.token}` },
  });
  const { export_id } = await asked.json();
  const orphan = await began.promise;
  await server.kill();
  killed.resolve();
  assert.equal(await makeExports(app.deps), 0);
  app.clock.move(exportLeaseMs);
  assert.equal(await makeExports(app.deps), 1);
  const { body } = await admin.call("GET", `/v1/reports/export/${export_id}`);
  assert.equal(body.status, "done");
  const [left] = await app.sql("select object_key from files");
  const rows = parse(stored.get(`/crm/${left!.object_key}`)!, { bom: true, record_delimiter: "\r\n" });
  assert.deepEqual(rows[1], ["users.total", "1", String(admin.companyId), "Acme"]);
  // The job that removes objects deletes the file that the killed process stored.
  app.clock.move(2 * 3_600_000);
  await removeObjects(app.deps, app.clock.now());
  assert.deepEqual([stored.size, stored.has(orphan)], [1, false]);
});
