/** Hashing a password takes a core for a while; many at once must not block others. */
import assert from "node:assert/strict";
import { loadConfig } from "../../src/config.ts";
import { createApp } from "../../src/app.ts";
import { makeToken } from "../../src/core/ids.ts";
import { openBox } from "../../src/entry/box.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { makeQueuedPasswords } from "../../src/platform/passwords.ts";
import { type Body, type Reply, startApp, type TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { newClient, withPassword } from "../support/oauth.ts";
import { sendFrom } from "../support/peers.ts";
import { memoryLog } from "../support/ports.ts";
import { projectRoot } from "../support/process.ts";
import { startMeasured } from "../support/turns.ts";

const right = "correct horse battery";
const elsewhere = "127.0.0.9";

Deno.test("while 300 unknown people sign in, others are served, and a person elsewhere signs in", async () => {
  await using app = await startApp();
  const company = await app.company();
  const username = await withPassword(app, await company.user(), right);
  const client = await newClient(app, true);
  const { server, waits } = await startMeasured(app);
  try {
    const before = readPeak(server.pid);
    const page = await signInForm(server.url);
    let replies: Answered[] = [];
    let signedIn: Reply | null = null;
    const { p95, most } = await waits(async () => {
      const flood = Promise.all<Answered>(
        Array.from(
          { length: 300 },
          (_, n) =>
            n % 2 === 0 ? page(`nobody${n}@example.org`) : ask(server.url, client, `nobody${n}@example.org`),
        ),
      );
      signedIn = await ask(server.url, client, username, elsewhere);
      replies = await flood;
    });
    assert.equal(signedIn!.status, 200, signedIn!.text);
    const count = (...statuses: number[]) => replies.filter(({ status }) => statuses.includes(status)).length;
    assert.equal(count(400, 422) + count(503), replies.length, [...replies.map((r) => r.status)].join());
    assert.ok(count(503) > 200, `${count(503)} refused`);
    for (const refused of replies.filter(({ status }) => status === 503)) {
      assert.equal(refused.headers.get("retry-after"), "5");
      if (refused.body) assert.equal(refused.body.error, "temporarily_unavailable");
      else assert.match(refused.text, /<h1>The service is busy<\/h1>/);
    }
    const grown = (readPeak(server.pid) - before) / 1024;
    const figures = `p95 ${p95} ms, longest turn ${most} ms, ${grown} MiB`;

    assert.ok(p95 < 100, figures);
    // Includes memory that threads keep for later hashes; 200 at once took 840 MiB.
    assert.ok(grown < 400, figures);
  } finally {
    await server.kill();
  }
});

Deno.test("a call whose password finds no room in the queue is 503 with Retry-After", async () => {
  await using app = await startApp();
  const company = await app.company();
  const username = await withPassword(app, company.admin, right);
  // A new password has ended the token.
  const token = await company.token(company.admin.id);
  const { admin } = company;
  const trusted = await newClient(app, true);
  const link = makeToken();
  await app.deps.db.write([{
    sql: "insert into password_resets (hash, user_id, expires_at, created_at) values (?, ?, ?, '')",
    args: [sha256(link), admin.id, app.clock.now() + 60_000],
  }]);
  const trustedToken = await app.trustedClient();
  const box = await openBox(
    loadConfig({ DATABASE_URL: `file:${app.file}`, STORAGE_URL: `file:${app.folder}/f` }),
    {
      log: memoryLog(),
      clock: app.clock,
      passwords: makeQueuedPasswords({ atOnce: 0, waiting: 0 }),
    },
  );
  const full = createApp(box.deps);
  const call = async (
    bearer: string,
    method: string,
    path: string,
    body: unknown,
  ): Promise<[number, Body]> => {
    const answer = await full.request(path, {
      method,
      headers: { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const reported = await answer.json();
    assert.equal(answer.headers.get("retry-after"), "5", JSON.stringify(reported));
    return [answer.status, reported];
  };
  try {
    const person = { first_name: "Ada", last_name: "Byron", password: right };
    const calls: [string, string, string, unknown][] = [
      [trustedToken, "POST", "/v1/companies", { name: "New", user: { ...person, email: "new@example.org" } }],
      [token, "POST", `/v1/companies/${admin.companyId}/users`, { ...person, email: "u@example.org" }],
      [token, "PUT", `/v1/companies/${admin.companyId}/users/${admin.id}/password`, {
        old_password: right,
        new_password: "another good horse",
      }],
      [trustedToken, "POST", `/v1/reset-password/verify/${link}`, { password: "another good horse" }],
    ];
    for (const [bearer, method, path, body] of calls) {
      const [status, problem] = await call(bearer, method, path, body);
      assert.deepEqual([status, problem.code], [503, "unavailable"], `${path}: ${JSON.stringify(problem)}`);
    }
    const password = { grant_type: "password", ...trusted, username, password: right };
    const [status, { error }] = await call("none", "POST", "/auth/token", password);
    assert.deepEqual([status, error], [503, "temporarily_unavailable"]);
  } finally {
    await box.close();
  }
});

Deno.test("an address may fail at the sign-in page a hundred times in ten minutes, over all accounts", async () => {
  await using app = await startApp();
  await app.company();
  const page = await signInForm(app.url);
  assert.equal((await page("a@example.org")).status, 422);
  await fillCounts(app, 98);
  assert.equal((await page("b@example.org")).status, 422);
  assert.equal((await page("c@example.org")).status, 422);
  const refused = await page("d@example.org");
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "600"]);
  const other = await signInForm(app.url);
  assert.equal((await other("e@example.org")).status, 429);
  app.clock.move(600_000);
  assert.equal((await page("d@example.org")).status, 422);
});

Deno.test("an address may request a hundred mails at the page in ten minutes, over all accounts", async () => {
  await using app = await startApp();
  const browser = new Browser(app.url);
  const form = await browser.get("/auth/forgot-password");
  const ask = (email: string) => browser.submit(form, "/auth/forgot-password", { email });
  assert.equal((await ask("a@example.org")).status, 200);
  await fillCounts(app, 99);
  assert.equal((await ask("b@example.org")).status, 200);
  assert.equal((await ask("c@example.org")).status, 429);
});

Deno.test("the general limit counts page calls by address", async () => {
  await using app = await startApp({ RATE_LIMIT: "3/60" });
  await app.company();
  const browser = new Browser(app.url);
  for (const path of ["/auth/sign-in", "/auth/forgot-password", "/auth/device"]) {
    assert.equal((await browser.get(path)).status, 200, path);
  }
  const refused = await browser.get("/auth/sign-in");
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "60"]);
  assert.equal((await sendFrom(elsewhere, `${app.url}/auth/sign-in`, "GET")).status, 200);
});

Deno.test("passwords are hashed in one place, except by commands", async () => {
  const users: string[] = [];
  const look = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(projectRoot + folder)) {
      const path = `${folder}/${name}`;
      if (isDirectory) await look(path);
      else if (/\b(?:hash|verify)Password\b/.test(await Deno.readTextFile(projectRoot + path))) {
        users.push(path);
      }
    }
  };
  await look("src");
  assert.deepEqual(users.filter((path) => !path.startsWith("src/cli/")).sort(), [
    "src/platform/crypto.ts",
    "src/platform/passwords.ts",
  ]);
});

/** Sets the count of the page for this address; keeps all other counts. */
async function fillCounts(app: TestApp, failures: number): Promise<void> {
  await app.deps.db.write([{
    sql: "update attempts set failures = ? where rowid in (select rowid from attempts where until = ?)",
    args: [failures, app.clock.now() + 600_000],
  }]);
}

/** `body`: as JSON. */
type Answered = Pick<Reply, "status" | "headers" | "text"> & { readonly body?: Body };

/** Posts the sign-in form with a wrong password. */
async function signInForm(url: string): Promise<(email: string) => Promise<Answered>> {
  const browser = new Browser(url);
  const form = await browser.get("/auth/sign-in");
  return (email) => browser.submit(form, "/auth/sign-in", { email, password: "wrong" });
}

function ask(url: string, client: object, username: string, from = "127.0.0.1") {
  const body = { grant_type: "password", ...client, username, password: right };
  return sendFrom(from, `${url}/auth/token`, "POST", body);
}

/** The peak memory of the process, in KiB. */
function readPeak(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync(`/proc/${pid}/status`))![1]);
}
