import assert from "node:assert/strict";
import { type Actor, startApp } from "../support/app.ts";

const makeNamed = (name: string) => ({ fixed_fields: [{ name: "name", value: name }] });
const make = async (actor: Actor, number: number) => {
  for (let n = 0; n < number; n++) await actor.call("POST", "/v1/accounts", makeNamed(`Account ${n}`));
};
const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

Deno.test("pages count from 1, 0 is the first too, one past the end is empty, and links are null at the ends", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await make(admin, 5);
  const get = async (query: string) => (await admin.call("GET", `/v1/accounts?per_page=2&${query}`)).body;
  const first = await get("page=1");
  assert.deepEqual(await get("page=0"), first);
  assert.deepEqual(ids(await get("")), ids(first));
  assert.equal(first.pagination.urls.previous, null);
  assert.equal(first.pagination.total, 5);
  const third = await get("page=3");
  assert.equal(third.data.length, 1);
  assert.equal(third.pagination.urls.next, null);
  assert.ok(third.pagination.urls.previous);
  const whole = (await admin.call("GET", "/v1/accounts?per_page=5")).body;
  assert.deepEqual([whole.data.length, whole.pagination.urls.next], [5, null], "the last page may be full");
  for (const page of ["4", "1000000", "10000000000000"]) {
    const past = await get(`page=${page}`);
    assert.deepEqual(past.data, []);
    assert.equal(past.pagination.total, 5);
    assert.equal(past.pagination.page, Number(page));
    assert.equal(past.pagination.urls.next, null);
  }
  const standard = (await admin.call("GET", "/v1/accounts")).body.pagination;
  assert.deepEqual([standard.page, standard.per_page], [1, 15]);
});

Deno.test("links are absolute, keep every other parameter and lead back again", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await make(admin, 5);
  const query = "per_page=2&sort=created_at&x=a%20b%26c&teams[]=1&teams[]=2&search=acc";
  const { body } = await admin.call("GET", `/v1/accounts?${query.replace(/&teams.*?=2/, "")}`);
  const next = new URL(body.pagination.urls.next);
  assert.equal(next.origin, app.url);
  assert.equal(next.pathname, "/v1/accounts");
  assert.equal(next.searchParams.get("x"), "a b&c");
  assert.equal(next.searchParams.get("sort"), "created_at");
  assert.equal(next.searchParams.get("search"), "acc");
  assert.equal(next.searchParams.get("page"), "2");
  const follow = async (url: string) => (await admin.call("GET", url.slice(app.url.length))).body;
  const second = await follow(body.pagination.urls.next);
  assert.equal(second.pagination.page, 2);
  assert.deepEqual(ids(await follow(second.pagination.urls.previous)), ids(body));
  assert.equal((await admin.call("GET", `/v1/accounts?${query}`)).status, 200);
});

Deno.test("an invalid page number or size is 422 and names the parameter", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const faults: [string, string, string][] = [
    ["per_page=0", "query.per_page", "min"],
    ["per_page=-1", "query.per_page", "min"],
    ["per_page=101", "query.per_page", "max"],
    ["per_page=1e1", "query.per_page", "type"],
    ["per_page=", "query.per_page", "type"],
    ["per_page=2&per_page=3", "query.per_page", "type"],
    ["per_page[]=2&per_page[]=3", "query.per_page", "type"],
    ["page=-1", "query.page", "min"],
    ["page=x", "query.page", "type"],
    ["page=1.5", "query.page", "type"],
    ["page=%00", "query.page", "type"],
    ["page=99999999999999999999", "query.page", "type"],
    ["page=99999999999999", "query.page", "max"],
    ["sort=nothing", "query.sort", "enum"],
    ["sort=", "query.sort", "enum"],
    ["sort=-", "query.sort", "enum"],
    ["sort=--created_at", "query.sort", "enum"],
    ["sort=created_at desc", "query.sort", "enum"],
    ["sort=constructor", "query.sort", "enum"],
    ["sort=created_at&sort=updated_at", "query.sort", "type"],
    ["teams=x", "query.teams[0]", "type"],
    ["teams=1,x", "query.teams[1]", "type"],
    ["teams=1.5", "query.teams[0]", "type"],
    ["teams=1,1000000000000000", "query.teams[1]", "type"],
    ["start_at=2026-02-30 10:00:00", "query.start_at", "format"],
    ["start_at=yesterday", "query.start_at", "format"],
    ["start_at=2026-01-02 00:00:00&end_at=2026-01-01 00:00:00", "query.end_at", "after"],
  ];
  for (const [query, path, code] of faults) {
    const reply = await admin.call("GET", `/v1/accounts?${encodeURI(query).replaceAll("%25", "%")}`);
    assert.equal(reply.status, 422, query);
    assert.deepEqual(
      reply.body.errors.map((error: { path: string; code: string }) => [error.path, error.code]),
      [[path, code]],
      query,
    );
  }
  // A number that is too long is an integer all the same: the message says what is wrong with it.
  const { body } = await admin.call("GET", "/v1/accounts?teams=1000000000000000");
  assert.equal(body.errors[0].message, "Must be an integer with at most 15 digits.");
});

Deno.test("unknown parameters are ignored; lists can use commas or repetition, booleans and timestamps every form", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const other = await company.team({ name: "South" });
  await admin.call("POST", "/v1/accounts", { ...makeNamed("North"), team_id: team });
  await admin.call("POST", "/v1/accounts", { ...makeNamed("South"), team_id: other });
  const total = async (query: string) => {
    const reply = await admin.call("GET", `/v1/accounts?${query}`);
    assert.equal(reply.status, 200, `${query}: ${reply.text}`);
    return reply.body.pagination.total;
  };
  assert.equal(await total("unknown=1&x[]=2"), 2);
  for (
    const both of [
      `teams=${team},${other}`,
      `teams=${team}&teams=${other}`,
      `teams[]=${team}&teams[]=${other}`,
      `teams=${team},&teams[]=%20${other}`,
    ]
  ) {
    assert.equal(await total(both), 2, both);
  }
  assert.equal(await total(`teams=${team}`), 1);
  assert.equal(await total(`teams=${other + 1000}`), 0);
  const moments = [
    "2026-03-02 09:00:00",
    "2026-03-02T09:00:00Z",
    "2026-03-02T10:00:00+01:00",
    "2026-03-02T09:00:00.999Z",
  ];
  for (const moment of moments) {
    assert.equal(await total(`start_at=${encodeURIComponent(moment)}`), 2, moment);
  }
  assert.equal(await total(`start_at=${encodeURIComponent("2026-03-02 09:00:01")}`), 0);
});

Deno.test("a single-value parameter given twice is 422", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const name of ["page", "per_page", "search", "sort", "start_at", "filter_id"]) {
    const { status, body } = await admin.call("GET", `/v1/accounts?${name}=a&${name}=b`);
    const path = `query.${name}`;
    assert.deepEqual([status, body.errors], [422, [{ path, code: "type", message: "Must be given once." }]]);
  }
});

Deno.test("a cursor that does not come from urls.next is 422", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await make(admin, 3);
  const list = async (after: string, sort = "created_at") =>
    await admin.call("GET", `/v1/accounts?per_page=1&sort=${sort}&after=${encodeURIComponent(after)}`);
  const page = await admin.call("GET", "/v1/accounts?per_page=1&sort=created_at");
  const good = new URL(page.body.pagination.urls.next).searchParams.get("after")!;
  assert.equal((await list(good)).status, 200);
  const encodeCursor = (value: unknown) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  };
  const [order, key, id] = JSON.parse(atob(good));
  const tampered = [
    "",
    "x",
    "%00",
    good.slice(0, -3),
    encodeCursor("{"),
    encodeCursor(null),
    encodeCursor([]),
    encodeCursor([order, key]),
    encodeCursor([order, key, id, 1]),
    encodeCursor([order, null, id]),
    encodeCursor([order, key, {}]),
    encodeCursor([order, [key], id]),
    encodeCursor([order, true, id]),
    encodeCursor(`["${order}",1e400,"${id}"]`),
    encodeCursor(`["${order}","\\u0000","${id}"]`),
    encodeCursor(`["${order}","\\ud800","${id}"]`),
    encodeCursor(["updated_at", key, id]),
    "z".repeat(2000),
  ];
  for (const after of tampered) {
    const reply = await list(after);
    assert.equal(reply.status, 422, after);
    assert.equal(reply.body.errors[0].path, "query.after");
  }
  assert.equal((await list(good, "-created_at")).status, 422);
  // A cursor of the right form, but with values of another type, is a valid position.
  for (
    const after of [
      encodeCursor([order, 5, id]),
      encodeCursor([order, key, 5]),
      encodeCursor([order, "zzz", "' or 1=1"]),
    ]
  ) {
    assert.equal((await list(after)).status, 200);
  }
});
