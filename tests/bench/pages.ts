/**
 * `deno task bench --pages [--contacts N] [--runs R] [--seconds S] [--only TEXT] [--fresh] [--views]`: measures
 * pages of the console in a company of N contacts: each alone, one request at a time, then with 50 people who click
 * once a second on average. `GET /v1/me/counts` is asked from 16 connections. Requests come over HTTP, pages are
 * compressed. Then Chromium shows four of them as a first view: `first_views.ts` has their aims. `--views` measures
 * only these.
 *
 * A page passes when 95 of 100 are answered within 50 ms alone, and within 100 ms with 50 people.
 */
import { parseArgs } from "node:util";
import { join } from "node:path";
import { pages } from "../../src/console/console.ts";
import { makeId, makeToken } from "../../src/core/ids.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { insert, sql } from "../../src/db/statements.ts";
import { sessions } from "../../src/identity/auth/table.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { serve } from "../support/service.ts";
import { measureFirstViews } from "./first_views.ts";
import { chooseTool } from "./load.ts";
import { openWorld } from "./matrix/world.ts";
import { startLogged } from "./process_figures.ts";

const people = 50;
const [aimAlone, aimTogether, aimCounts] = [50, 100, 5_000];

/** Pages that are no documents, that need more in their address, or that lead elsewhere. */
const left = /download$|correspondences|\/move$|\/cases\/new$/;

/** Ids for the parameters of paths. */
const ids: Readonly<Record<string, string>> = {
  lead_id: "select id from leads where state = 'assigned' limit 1",
  case_id: "select id from cases where status = 'open' order by activity_count desc limit 1",
  account_id: "select account_id as id from contacts where b2c = 0 limit 1",
  contact_id: "select id from contacts where b2c = 0 limit 1",
  user_id: "select id from users order by id desc limit 1",
  team_id: "select id from teams limit 1",
  relations_path_id: "select id from relations_paths limit 1",
  lead_type_id: "select id from lead_types limit 1",
};

/** Further addresses that people use all day. */
const more = [
  "/app/leads?view=all",
  "/app/cases?view=list",
  "/app/customers?kind=accounts",
  "/app/customers?search=an",
  "/app/customers?field=contact.last_name&operator=sw&value=mu",
  "/app/search?q=anna",
];

/** What 50 people click on. */
const clicked = /^\/app(?:$|\/leads|\/cases|\/customers|\/search|\/contacts|\/accounts)/;

/** Whose first views are measured: Today, Leads, a case and Customers. */
const viewed = /^\/app(?:$|\/leads$|\/cases\/[\w-]{36}$|\/customers$)/;

/** Returns the exit code: 1 when a figure misses its aim. */
export async function runPages(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      contacts: { type: "string", default: "100000" },
      runs: { type: "string", default: "100" },
      seconds: { type: "string", default: "10" },
      only: { type: "string", default: "" },
      fresh: { type: "boolean", default: false },
      views: { type: "boolean", default: false },
    },
  });
  const world = await openWorld(Number(values.contacts), values.fresh);
  const { cookies, addresses } = await prepare(world.file);
  const env = {
    DATABASE_URL: `file:${world.file}`,
    STORAGE_URL: `file:${world.folder}/files`,
    PORT: "0",
    LOG_LEVEL: "info",
  };
  const server = await startLogged(serve, env, join(world.folder, "log"));
  try {
    const asked = addresses.filter((address) => address.includes(values.only));
    let missed = values.views ? 0 : await measureAnswers(
      server.url,
      world.admin,
      cookies,
      asked,
      Number(values.runs),
      Number(values.seconds),
    );
    missed += await measureFirstViews(
      server.url,
      cookies[0]!,
      asked.filter((address) => viewed.test(address)),
    );
    return missed > 0 ? 1 : 0;
  } finally {
    await server.end();
  }
}

/** Prints how long answers take. Returns how many figures miss their aim. `admin`: a bearer token. */
async function measureAnswers(
  url: string,
  admin: string,
  cookies: readonly string[],
  asked: readonly string[],
  runs: number,
  seconds: number,
): Promise<number> {
  let missed = 0;
  const report = (name: string, times: readonly number[], aim: number) => {
    const [p50, p95] = [0.5, 0.95].map((share) =>
      times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!
    );
    const isMissed = p95! > aim;
    if (isMissed) missed++;
    const figures = `${p50!.toFixed(1)} | ${p95!.toFixed(1)}${isMissed ? " (missed)" : ""}`;
    console.log(`| ${name} | ${times.length} | ${figures} | ${aim} |`);
  };
  console.log("| page | requests | p50 | p95 | aim |\n|---|---|---|---|---|");
  for (const address of asked) {
    for (let warm = 0; warm < 5; warm++) await open(url, address, cookies[0]!);
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push(await open(url, address, cookies[0]!));
    report(address.replaceAll(/[\w-]{36}/g, "…"), times, aimAlone);
  }
  report(`${people} people`, await together(url, asked, cookies, seconds), aimTogether);
  const tool = await chooseTool(seconds);
  const counts = await tool.run(url, { method: "GET", asked: [{ path: "/v1/me/counts" }], token: admin });
  const isSlow = counts.perSecond < aimCounts;
  if (isSlow) missed++;
  const figure = `${Math.round(counts.perSecond)} a second${isSlow ? " (missed)" : ""}`;
  console.log(`GET /me/counts: ${figure} (aim: ${aimCounts}), p95 ${counts.p95} ms.`);
  return missed;
}

/** Signs people in, and fills the addresses of the pages. */
async function prepare(file: string) {
  const db = openFile(file);
  try {
    const [users, ...found] = await db.read([
      sql`select id from users where deleted_at is null order by user_type = 1 desc, id limit ${people}`,
      ...Object.values(ids).map((text) => ({ sql: text, args: [] })),
    ]);
    const known = new Map(Object.keys(ids).map((name, at) => [name, String(found[at]!.rows[0]?.id)]));
    const now = Date.now();
    const cookies = users!.rows.map(() => makeToken());
    await db.write(users!.rows.map(({ id }, at) =>
      insert(sessions, {
        hash: sha256(cookies[at]!),
        id: makeId(now),
        user_id: Number(id),
        expires_at: now + 3_600_000,
        created_at: formatTimestamp(now),
        last_used_at: now,
        user_agent: null,
        address: null,
      })
    ));
    const all = pages.map(({ path }) => path).filter((path) => !left.test(path))
      .map((path) => path.replaceAll(/:(\w+)/g, (whole, name: string) => known.get(name) ?? whole))
      .filter((path) => !path.includes(":"));
    return { cookies, addresses: [...all, ...more] };
  } finally {
    await db.close();
  }
}

/** Returns the milliseconds until a page is there. */
async function open(
  url: string,
  address: string,
  cookie: string,
  may: readonly number[] = [200],
): Promise<number> {
  const begin = performance.now();
  const answer = await fetch(url + address, { headers: { cookie: `session=${cookie}` }, redirect: "manual" });
  await answer.bytes();
  const took = performance.now() - begin;
  if (!may.includes(answer.status)) throw new Error(`${address} answered ${answer.status}.`);
  return took;
}

/** Returns the milliseconds of each click of people who click once a second on average. */
async function together(
  url: string,
  addresses: readonly string[],
  cookies: readonly string[],
  seconds: number,
): Promise<number[]> {
  const until = performance.now() + seconds * 1_000;
  const offered = addresses.filter((address) =>
    clicked.test(address) && !/\/(?:new|edit|delete|merge)$/.test(address)
  );
  const places = offered.length > 0 ? offered : addresses;
  const times: number[] = [];
  await Promise.all(cookies.map(async (cookie, at) => {
    for (let click = at; performance.now() < until; click += 7) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2_000));
      // A record of another team is 404 for some people.
      times.push(await open(url, places[click % places.length]!, cookie, [200, 403, 404]));
    }
  }));
  return times;
}
