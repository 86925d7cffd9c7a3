/** What holds for all pages and forms of the console, by the lists that the app serves. */
import assert from "node:assert/strict";
import { endpoints } from "../../src/app.ts";
import { actions, pages } from "../../src/console/console.ts";
import { agencyViews, ownViews } from "../../src/console/leads/load.ts";
import { startApp } from "../support/app.ts";
import { takeSample } from "../support/sample.ts";
import { signedIn } from "./world.ts";

const unknown = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a010";
/** Addresses of pages with their parameters: each view, and values that mean nothing. */
const views = [
  ...[...ownViews, ...agencyViews].map((view) => `/app/leads?view=${view}&search=ada&lead_types=${unknown}`),
  ...["mine", "team", "all"].flatMap((show) => [
    `/app/cases?view=list&show=${show}&status=open&sort_mode=recent&search=ada&users=1&teams=1`,
    `/app/cases?view=list&relations_paths=${unknown}&milestone_ids=none&lead_types=${unknown}&lead_sources=x`,
    `/app/cases?view=board&show=${show}&path=${unknown}&search=ada&users=1&teams=1&lead_sources=x`,
  ]),
  ...pages.map(({ path }) =>
    `${path}?page=x&view=x&show=x&status=x&sort=x&search=%00&lead_types=x&lead_sources=x`
  ),
  ...pages.map(({ path }) => `${path}?page=2`),
];
const fillParameters = (path: string) => path.replaceAll(/:\w+/g, unknown);

Deno.test("without a session every page and every form leads to the sign-in, and nothing changes", async () => {
  await using app = await startApp();
  await app.company();
  for (const { path } of pages) {
    const answer = await fetch(`${app.url}${fillParameters(path)}`, { redirect: "manual" });
    await answer.body?.cancel();
    const next = encodeURIComponent(fillParameters(path));
    assert.deepEqual(
      [answer.status, answer.headers.get("location")],
      [303, `/auth/sign-in?next=${next}`],
      path,
    );
  }
  for (const { path } of actions) {
    const answer = await fetch(`${app.url}${fillParameters(path)}`, { method: "POST", redirect: "manual" });
    await answer.body?.cancel();
    assert.equal(answer.status, 303, path);
  }
});

Deno.test("with a session every form without its token is refused, and one that is no form too", async () => {
  await using app = await startApp();
  const company = await app.company();
  const browser = await signedIn(app, company.admin);
  const cookie = `session=${browser.cookies.get("session")}`;
  for (const { path, limit = 1_048_576 } of actions) {
    const url = `${app.url}${fillParameters(path)}`;
    const type = "application/x-www-form-urlencoded";
    const send = async (headers: Record<string, string>, body: string) => {
      const answer = await fetch(url, {
        method: "POST",
        redirect: "manual",
        headers: { cookie, ...headers },
        body,
      });
      const text = await answer.text();
      const isShown = answer.status !== 413 || / MB\./.test(/role="alert".*?<\/div>/s.exec(text)?.[0] ?? "");
      // The records of this sweep do not exist, so that the pages of their forms do not either.
      return isShown || path.includes(":") || path === "/app/cases/new" ? answer.status : text;
    };
    assert.equal(await send({ "content-type": type }, "a=b"), 403, path);
    assert.equal(await send({ "content-type": "application/json" }, "{}"), 415, path);
    assert.equal(await send({ "content-type": type, "sec-fetch-site": "cross-site" }, "a=b"), 403, path);
    assert.equal(await send({ "content-type": type, origin: "https://evil.example.org" }, "a=b"), 403, path);
    assert.equal(await send({ "content-type": type }, `a=${"b".repeat(limit + 1)}`), 413, path);
  }
});

Deno.test("every page has its headers and its frame for every type of user, and none is a 500", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  for (const type of ["admin", "group_admin", "team_admin", "user"] as const) {
    const browser = await signedIn(app, await company.user({ type, teams: [team], rights: ["agency"] }));
    for (const path of takeSample([...pages.map(({ path }) => path), ...views])) {
      const { status, headers, text } = await browser.get(fillParameters(path));
      assert.ok([200, 403, 404].includes(status), `${type} ${path} ${status}`);
      assert.equal(headers.get("content-type"), "text/html; charset=utf-8");
      assert.equal(headers.get("cache-control"), "no-store");
      assert.equal(headers.get("referrer-policy"), "same-origin");
      const policy = headers.get("content-security-policy")!;
      assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/);
      assert.doesNotMatch(policy, /unsafe|\*|https?:/);
      assert.doesNotMatch(text, / style=| on\w+="|<style|hx-on|hx-vals="js:|javascript:/);
      assert.equal(text.match(/<h1>/g)?.length, 1, path);
      for (const part of ['<main id="content"', 'role="status"', 'aria-label="Main"', 'class="banner"']) {
        assert.ok(text.includes(part), `${part} of ${path}`);
      }
    }
  }
});

Deno.test("unknown addresses, a slash at the end and other methods are answered as pages", async () => {
  await using app = await startApp();
  const company = await app.company();
  const browser = await signedIn(app, company.admin);
  const cookie = `session=${browser.cookies.get("session")}`;
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${app.url}${path}`, { redirect: "manual", headers: { cookie }, ...init });
    return { answer, text: await answer.text() };
  };
  const nowhere = await ask("/app/nowhere");
  assert.equal(nowhere.answer.status, 404);
  assert.match(nowhere.text, /<h1>Not found<\/h1>/);
  const slash = await ask("/app/leads/?view=mine");
  assert.deepEqual([slash.answer.status, slash.answer.headers.get("location")], [
    308,
    "/app/leads?view=mine",
  ]);
  const wrong = await ask(`/app/leads/${unknown}/accept`);
  assert.deepEqual([wrong.answer.status, wrong.answer.headers.get("allow")], [405, "POST"]);
  const head = await ask("/app/me", { method: "HEAD" });
  assert.deepEqual([head.answer.status, head.text], [200, ""]);
  const asset = /\/app\/assets\/console-\w+\.css/.exec((await ask("/app/me")).text)![0];
  const style = await ask(asset);
  assert.equal(style.answer.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(style.answer.headers.get("content-type"), "text/css; charset=utf-8");
  assert.equal((await ask("/app/assets/nothing-1.css")).answer.status, 404);
});

Deno.test("a fault of the service is a page with the id of its request, and too many calls are a page", async () => {
  await using app = await startApp({ RATE_LIMIT: "60/60" });
  const company = await app.company();
  const browser = await signedIn(app, company.admin);
  await app.deps.db.write([{ sql: "alter table leads rename to lost_leads", args: [] }]);
  const fault = await browser.get("/app/leads");
  assert.equal(fault.status, 500);
  assert.match(fault.text, /<h1>Something went wrong<\/h1>/);
  assert.match(fault.text, /aria-label="Main"/);
  const id = fault.headers.get("x-request-id")!;
  assert.ok(fault.text.includes(id), "people can report the request");
  let answer = await browser.get("/app/me");
  for (let asked = 0; answer.status === 200 && asked < 100; asked++) answer = await browser.get("/app/me");
  assert.equal(answer.status, 429);
  assert.match(answer.text, /<h1>Too many requests<\/h1>/);
  assert.match(answer.text, /<main id="content"/);
  assert.match(answer.headers.get("content-type")!, /^text\/html/);
});

Deno.test("every call of the API that a page names exists", () => {
  const known = new Set(endpoints.map(({ declared }) => declared.operation));
  const root = new URL("../../src/console/", import.meta.url);
  const named: string[] = [];
  const read = (folder: URL) => {
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      if (isDirectory) read(new URL(`${name}/`, folder));
      else {
        const text = Deno.readTextFileSync(new URL(name, folder));
        for (
          const [, one] of text.matchAll(
            /\b(?:call|change|record|target)(?:<[^>]*(?:<[^>]*>)?[^>]*>)?\(\s*"(\w+)"/g,
          )
        ) {
          named.push(one!);
        }
      }
    }
  };
  read(root);
  assert.ok(named.length > 20, `${named.length} calls are found`);
  assert.deepEqual(named.filter((one) => !known.has(one)), []);
});
