import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { fill } from "../../src/cli/seed/fill.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { nameFields } from "../sales/leads_world.ts";
import { startApp } from "../support/app.ts";
import { inFolder } from "../support/engines.ts";
import { runCommand } from "../support/process.ts";
import { commandArguments } from "../support/service.ts";
import { copyTemplate } from "../support/template.ts";

const command = commandArguments("jobs");
const now = Date.UTC(2026, 2, 2, 9, 0, 0);
const subscription =
  "insert into webhooks (company_id, user_id, target_url, event_name, created_at, updated_at) " +
  "select company_id, min(id), ?, '*', '2026-03-02 09:00:00', '2026-03-02 09:00:00' from users";

Deno.test("jobs runs what is due at the given time, delivers the events and ends", () =>
  inFolder(async (folder) => {
    const path = `${folder}/crm.db`;
    const received: (string | null)[] = [];
    await using target = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (request) => {
        await request.body?.cancel();
        received.push(request.headers.get("x-service-event"));
        return new Response();
      },
    );
    await copyTemplate(path);
    const db = openFile(path);
    const size = { contacts: 100, accounts: 20, cases: 0, leads: 20, teams: 3, users: 6 };
    await fill(db, { seed: 1, now, passwordHash: "none", ...size });
    await db.write([{ sql: subscription, args: [`http://127.0.0.1:${target.addr.port}/`] }]);
    const count = async (state: string) => {
      const [found] = await db.read([{
        sql: "select count(*) as n from leads where state = ?",
        args: [state],
      }]);
      return Number(found!.rows[0]!.n);
    };
    const before = { assigned: await count("assigned"), escalated: await count("escalated") };
    assert.ok(before.assigned > 0);

    const env = { DATABASE_URL: `file:${path}`, WEBHOOK_ALLOW_PRIVATE: "true" };
    const early = await runCommand([...command, "--now", "2026-03-02 09:00:00"], env);
    assert.equal(early.code, 0, early.stderr);
    assert.equal(await count("assigned"), before.assigned, "nothing is due yet");
    const [due] = await db.read([{
      sql: "select count(*) as n from leads where escalates_at <= '2026-03-09 09:00:00'",
      args: [],
    }]);
    const later = await runCommand([...command, "--now", "2026-03-09 09:00:00"], env);
    assert.equal(later.code, 0, later.stderr);
    assert.ok(
      later.stdout.includes(
        `As if it were 2026-03-09 09:00:00 UTC, in file:${path}: ${due!.rows[0]!.n} leads to `,
      ),
      later.stdout,
    );
    assert.equal(await count("assigned"), 0);
    assert.equal(await count("escalated"), before.escalated + before.assigned);
    assert.equal(received.filter((event) => event === "lead_escalated").length, before.assigned);

    await db.script("drop table idempotency_keys");
    const failed = await runCommand(command, env);
    assert.equal(failed.code, 1, "a failed job sets the exit code");
    assert.equal(failed.stderr, "failed: endInTime, removeExpired\n");
    await db.close();
  }));

Deno.test("jobs ends once all files of exports are written that were due", async () => {
  await using app = await startApp();
  app.clock.set(Date.now());
  const { admin } = await app.company();
  await admin.call("POST", "/v1/accounts", { fixed_fields: nameFields({ name: "Ada Ltd" }) });
  // No call begins them.
  const idle = createApp({ ...app.deps, stopping: AbortSignal.abort() });
  for (let n = 0; n < 8; n++) {
    const made = await idle.fetch(
      new Request(`${app.url}/v1/exports`, {
        method: "POST",
        headers: { Authorization: `Bearer ${admin.token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ entity: "accounts" }),
      }),
    );
    assert.equal(made.status, 201, await made.text());
  }
  const env = { DATABASE_URL: `file:${app.file}`, STORAGE_URL: `file:${app.folder}/files` };
  const ran = await runCommand(command, env);
  assert.equal(ran.code, 0, ran.stderr);
  const statuses = await app.sql("select status, count(*) as n from exports group by 1");
  assert.deepEqual(statuses, [{ status: "done", n: 8 }]);
});

Deno.test("an invalid time ends with one line", () =>
  inFolder(async (folder) => {
    const wrong = await runCommand([...command, "--now", "tomorrow"], {
      DATABASE_URL: `file:${folder}/crm.db`,
    });
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /^--now must be like 2026-03-02 09:00:00\nUsage: .*\n$/);
  }));
