import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { createAccount, expandFilter, listRefused, make, selectNames } from "./filters_world.ts";

Deno.test("eq on a timestamp matches the whole second, also in another time zone", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await createAccount(admin, "At", { created_at: "2026-01-31 10:00:00" });
  await createAccount(admin, "After", { created_at: "2026-01-31 10:00:01" });
  const by = (operator: string, value: unknown) =>
    selectNames(admin, "accounts", ["account.created_at", operator, value]);
  assert.equal(await by("eq", "2026-01-31 10:00:00"), "At");
  assert.equal(await by("eq", "2026-01-31T11:00:00.900+01:00"), "At");
  assert.equal(await by("neq", "2026-01-31 10:00:00"), "After");
  assert.equal(await by("gt", "2026-01-31 10:00:00"), "After");
  assert.equal(await by("gte", "2026-01-31 10:00:00"), "After At");
  assert.equal(await by("lt", "2026-01-31 10:00:01"), "At");
  assert.equal(await by("lte", "2026-01-31 10:00:01"), "After At");
  assert.equal(await by("in", ["2026-01-31 10:00:01", "NOW"]), "After");
  assert.equal(await by("nin", ["2026-01-31 10:00:01"]), "At");
  assert.equal(await by("exists", true), "After At");
  assert.equal(
    await selectNames(
      admin,
      "accounts",
      ["account.created_at", "gte", "2026-01-31 10:00:01"],
      ["account.created_at", "lt", "2026-02-01 00:00:00"],
    ),
    "After",
  );
});

Deno.test("relative dates count from the time of the request, in every unit", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  app.clock.set(Date.UTC(2026, 2, 31, 12, 30, 15));
  const moments: [string, string][] = [
    ["NOW", "2026-03-31 12:30:15"],
    ["NOW-1s", "2026-03-31 12:30:14"],
    ["NOW-2m", "2026-03-31 12:28:15"],
    ["NOW-3h", "2026-03-31 09:30:15"],
    ["NOW-4d", "2026-03-27 12:30:15"],
    ["NOW-5w", "2026-02-24 12:30:15"],
    // February is shorter.
    ["NOW-1M", "2026-02-28 12:30:15"],
    ["NOW-13M", "2025-02-28 12:30:15"],
    ["NOW-25M", "2024-02-29 12:30:15"],
    ["NOW-12M", "2025-03-31 12:30:15"],
    ["NOW-7y", "2019-03-31 12:30:15"],
    ["NOW-0d", "2026-03-31 12:30:15"],
  ];
  for (const [, at] of moments.slice(0, 11)) await createAccount(admin, at, { created_at: at });
  for (const [value, at] of moments) {
    assert.equal(await selectNames(admin, "accounts", ["account.created_at", "eq", value]), at, value);
  }
});

Deno.test("a year ends on the same day, and from 29 February on the 28th", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  app.clock.set(Date.UTC(2028, 1, 29, 8));
  await createAccount(admin, "Before", { created_at: "2027-02-28 08:00:00" });
  assert.equal(await selectNames(admin, "accounts", ["account.created_at", "eq", "NOW-1y"]), "Before");
});

Deno.test("an invalid date is refused: another form, another unit, or outside the years 0 to 9999", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const wrong = ["", "now", "NOW ", "NOW-", "NOW-d", "NOW-1", "NOW-1D", "NOW*1d", "NOW-1.5d", "NOW --1d"];
  for (const value of [...wrong, "NOW+8000y", "NOW-3000y", "NOW+999999999999999s", "2026-01-31 25:00:00"]) {
    const filter = expandFilter([["account.created_at", "gt", value]]);
    assert.deepEqual(await listRefused(admin, filter, "accounts"), ["filter[0].value format"], value);
  }
});

Deno.test("a time is filtered among no rows and among rows of no group", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const filter = expandFilter([["contact.created_at", "gte", "2026-01-01 00:00:00"], [
    "contact.last_name",
    "sw",
    "M",
  ]]);
  const { id } = await make(admin, "/v1/contacts/filters", { name: "New", filter });
  for (const query of ["", "groups=", "teams=", "groups=&teams="]) {
    const filtered = await admin.call("POST", `/v1/contacts/filter?${query}`, { filter });
    assert.deepEqual([filtered.status, filtered.body.data], [200, []], query);
    const listed = await admin.call("GET", `/v1/contacts?filter_id=${id}&${query}`);
    assert.deepEqual([listed.status, listed.body.data], [200, []], query);
  }
});
