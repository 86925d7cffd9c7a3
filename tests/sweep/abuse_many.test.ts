/** Calls that make a document, a mail or a file, many times by one user, beside another company's. */
import assert from "node:assert/strict";
import { recordBudget } from "../../src/core/budgets.ts";
import { memoryFlags } from "../../src/entry/launch.ts";
import { pause } from "../../src/platform/pause.ts";
import { residentMemory } from "../support/memory.ts";
import { timed } from "../support/times.ts";
import type { TestApp } from "../support/app.ts";
import { fill } from "./place.ts";
import {
  assertProblem,
  endpoints,
  prepare,
  type Prepared,
  sendPrepared,
  startApp,
  startServer,
} from "./sweep.ts";

/** Calls of each operation; a thousand in `deno task test:long`. */
const times = Number(Deno.env.get("ABUSE_CALLS") ?? 10);
const atOnce = 10;
/** Bytes by which the memory of the process, and its database and files, may grow. */
const mostMemory = 300 * 1024 * 1024;
const mostDisk = 150 * 1024 * 1024;
/** Bytes that may be left of it after a minute of quiet: most of them are code that the calls have loaded. */
const mostKept = 130 * 1024 * 1024;
const quietMs = 60_000;
/** Bytes of the company's files. */
const quota = 20 * 1024 * 1024;
/** What is made for a moment. */
const momentary = /preview|chart|export|test-email|picture|logo|send|notify/;

/**
 * Bytes that an operation may leave: what the quota holds and, if its calls change records, for each a record of the
 * largest size with its events. So a thousand calls are held to the same as ten.
 */
const mostLeft = (at: string, changes: number) => quota + (momentary.test(at) ? 0 : changes * recordBudget);
/** Milliseconds of another company's calls. */
const mostBeside = timed ? 250 : 2_000;

const kept = [
  "objects",
  "report_charts",
  "report_exports",
  "report_deliveries",
  "files",
  "correspondences",
];

/** How much of each kind was made so far. */
async function countMade(app: TestApp): Promise<number[]> {
  const [found] = await app.sql(
    `select ${kept.map((table) => `(select ifnull(max(rowid), 0) from ${table}) as ${table}`).join()}`,
  );
  return [...Object.values(found!).map(Number), app.mailer.sent.length];
}

/** Returns the calls that make something: each operation is called, and what it leaves is counted. */
async function making(app: TestApp) {
  const place = await fill(app);
  const found: { at: string; call: Prepared }[] = [];
  for (const endpoint of endpoints) {
    const { method, path, operation } = endpoint.declared;
    if (endpoint.access !== "user" || operation === "deleteCompany") continue;
    const call = await prepare(place, endpoint);
    await app.idle();
    const before = await countMade(app);
    const reply = await sendPrepared(app.url, call);
    await app.idle();
    const after = await countMade(app);
    if (reply.status < 400 && after.some((n, index) => n > before[index]!)) {
      found.push({ at: `${method} ${path}`, call });
    }
  }
  return { calls: found, trusted: place.trusted };
}

Deno.test("a user who makes as much as possible breaks nothing, and holds up no other company", async () => {
  await using app = await startApp();
  const { calls, trusted } = await making(app);
  const names = calls.map(({ at }) => at);
  for (
    const expected of [
      "post /v1/templates/preview/:template_type",
      "post /v1/reports/charts",
      "post /v1/reports/export",
      "post /v1/files",
      "post /v1/campaigns/test-email",
      "post /v1/companies/:company_id/invitations",
    ]
  ) {
    assert.ok(
      names.includes(expected),
      `${expected} is among ${names.join(", ")}`,
    );
  }
  const other = await app.company("Other");
  const server = await startServer(app, {
    FILE_QUOTA: String(20 * 1024 * 1024),
  }, memoryFlags);
  try {
    const me = {
      method: "GET",
      path: "/v1/me",
      body: undefined,
      token: other.admin.token,
    };
    // By then the service has collected the garbage of its start.
    await pause(3_000);
    const memory = residentMemory(server.pid);
    const disk = await bytesBelow(app.folder);
    const beside: number[] = [];
    let changed = 0;
    for (const { at, call } of calls) {
      const [before, earlier] = [await bytesBelow(app.folder), changed];
      for (let done = 0; done < times; done += atOnce) {
        const started = performance.now();
        const [own, ...replies] = await Promise.all([
          sendPrepared(server.url, me).then((reply) => ({
            reply,
            time: performance.now() - started,
          })),
          ...Array.from({ length: atOnce }, () => sendPrepared(server.url, call)),
        ]);
        assert.equal(own.reply.status, 200, at);
        beside.push(own.time);
        for (const reply of replies) {
          if (reply.status < 300) changed++;
          assert.ok(
            reply.status < 500 || reply.status === 503,
            `${at}: ${reply.status} ${reply.text}`,
          );
          if (reply.status === 429 || reply.status === 503) {
            assert.ok(reply.headers.has("retry-after"), `${at}: ${reply.text}`);
          }
          if (reply.status >= 400) assertProblem(reply, at);
        }
      }
      const left = await bytesBelow(app.folder) - before;
      assert.ok(
        left <= mostLeft(at, changed - earlier),
        `${at}: ${Math.round(left / 1024)} KiB of ${changed - earlier} calls`,
      );
    }
    const [user] = await app.sql("select email from users where id = ?", other.admin.id);
    const body = { email: user!.email };
    const reset = await sendPrepared(server.url, {
      method: "POST",
      path: "/v1/reset-password",
      body,
      token: trusted,
    });
    assert.equal(reset.status, 204, reset.text);
    const end = performance.now() + 10_000;
    const countTaken = async () =>
      (await app.sql("select status from mails where to_address = ?", user!.email!))
        .filter(({ status }) => status !== "pending").length;
    while (await countTaken() === 0 && performance.now() < end) {
      await pause(50);
    }
    assert.equal(await countTaken(), 1, "a password reset of another company is sent meanwhile");
    const late = beside.toSorted((a, b) => a - b)[Math.floor(beside.length * 0.95)]!;
    assert.ok(
      late <= mostBeside,
      `beside it, another company waits ${Math.round(late)} ms (p95)`,
    );
    const measureGrowth = () => residentMemory(server.pid) - memory;
    const grown = measureGrowth();
    if (times > 10) {
      const asked = performance.now();
      while (measureGrowth() > mostKept && performance.now() - asked < quietMs) {
        await pause(1_000);
      }
      const kept = measureGrowth();
      assert.ok(kept <= mostKept, `a minute later it keeps ${Math.round(kept / 1024 / 1024)} MiB`);
    }
    assert.ok(
      grown <= mostMemory,
      `the process has grown by ${Math.round(grown / 1024 / 1024)} MiB`,
    );
    const written = await bytesBelow(app.folder) - disk;
    // More calls change more records, each of which `mostLeft` holds.
    if (times > 10) return;
    assert.ok(
      written <= mostDisk,
      `${Math.round(written / 1024 / 1024)} MiB were written`,
    );
  } finally {
    await server.kill();
  }
});

/** The bytes of all files below the folder. */
async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) bytes += await bytesBelow(path);
    else bytes += (await Deno.stat(path).catch(() => ({ size: 0 }))).size;
  }
  return bytes;
}
