import assert from "node:assert/strict";
import { send, startApp } from "../support/app.ts";
import { startHrana } from "../support/hrana.ts";
import { startWorker } from "../support/worker.ts";

Deno.test("in workerd with another key, readiness and every call are 503, no job runs, and the log says why", async () => {
  await using app = await startApp();
  const token = await app.trustedClient();
  await app.deps.db.write([{
    sql: "insert into leases (name, holder, until) values ('old', 'x', 1)",
    args: [],
  }]);
  const hrana = await startHrana({ path: app.file, token: "t" });
  const worker = await startWorker({ vars: { ...settings(hrana.url), SECRETS_KEY: btoa("o".repeat(32)) } });
  try {
    const ask = (method: string, path: string) => send(worker.url + path, method, token, undefined);
    assert.equal((await ask("GET", "/health")).status, 200);
    for (const [method, path] of [["GET", "/ready"], ["GET", "/v1/me"], ["POST", "/v1/companies"]] as const) {
      const { status, body, headers } = await ask(method, path);
      assert.deepEqual([status, body.code, body.detail], [
        503,
        "unavailable",
        "SECRETS_KEY is not the key that the database was sealed with.",
      ]);
      assert.match(headers.get("retry-after") ?? "", /^\d+$/);
    }
    await worker.runScheduled(Date.now());
    assert.equal((await app.sql("select 1 from leases where name = 'old'")).length, 1);
    await worker.printed(/"event":"wrong_secrets_key"/);
  } finally {
    await worker.close();
    await hrana.close();
  }
});

Deno.test("in workerd with a database from before the first release, readiness and every call are 503", async () => {
  await using app = await startApp();
  const token = await app.trustedClient();
  await app.deps.db.write([{ sql: "update migrations set tag = 'older_' || tag", args: [] }]);
  const hrana = await startHrana({ path: app.file, token: "t" });
  const key = app.deps.secretsKey.toBase64();
  const worker = await startWorker({ vars: { ...settings(hrana.url), SECRETS_KEY: key } });
  try {
    for (const path of ["/ready", "/v1/me"]) {
      const { status, body } = await send(worker.url + path, "GET", token, undefined);
      assert.equal(status, 503, path);
      assert.match(
        body.detail,
        /^The database was made by a version before 0\.1\.0 and cannot be upgraded: /,
      );
    }
    await worker.printed(/"event":"old_database"/);
  } finally {
    await worker.close();
    await hrana.close();
  }
});

function settings(url: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    DATABASE_AUTH_TOKEN: "t",
    STORAGE_URL: "s3://crm?endpoint=http://127.0.0.1:9&region=eu-central-1",
    AWS_ACCESS_KEY_ID: "nobody",
    AWS_SECRET_ACCESS_KEY: "nothing",
  };
}
