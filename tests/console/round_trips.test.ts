/** Round trips of pages and refused forms to a remote database, where each costs milliseconds. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { farDatabase } from "../support/far.ts";
import { takeSample } from "../support/sample.ts";
import { fillCompany, listPlaces } from "./places.ts";
import { signedIn } from "./world.ts";

/** The most of a page; Today and a case show more than others. */
const most = 3;
const more: readonly RegExp[] = [/^\/app$/, /^\/app\/cases\/[\w-]{36}$/];

Deno.test("a page makes at most three round trips, Today and a case four", () =>
  farDatabase(async ({ hrana, env }) => {
    await using app = await startApp(env);
    const browser = await signedIn(app, await fillCompany(app));
    const counts: string[] = [];
    for (const address of takeSample(await listPlaces(app))) {
      // What a page brought up to date on its way is not brought up again.
      await browser.get(address);
      hrana.reset();
      assert.equal((await browser.get(address)).status, 200, address);
      const bound = more.some((path) => path.test(address)) ? most + 1 : most;
      if (hrana.roundTrips() > bound) counts.push(`${address}: ${hrana.roundTrips()}`);
    }
    assert.deepEqual(counts, []);
  }));

Deno.test("the page of a new case reads further processes beside the contacts of its account", () =>
  farDatabase(async ({ hrana, env }) => {
    await using app = await startApp(env);
    const browser = await signedIn(app, await fillCompany(app));
    const address = (await listPlaces(app)).find((place) => place.startsWith("/app/cases/new"))!;
    await app.deps.db.write([{
      sql: `with recursive n(i) as (select 1 union all select i + 1 from n where i < 130)
        insert into relations_paths (id, company_id, name, created_at, updated_at)
        select printf('0197aaaa-0000-7000-8000-%012d', i), company_id, name, created_at, updated_at
        from n, (select * from relations_paths limit 1)`,
      args: [],
    }]);
    await browser.get(address);
    hrana.reset();
    const { text } = await browser.get(address);
    assert.ok(text.match(/<option value="0197aaaa-/g)!.length === 130);
    assert.ok(hrana.roundTrips() <= most, String(hrana.roundTrips()));
  }));

Deno.test("a refused form costs at most two round trips more than the page that it shows again", () =>
  farDatabase(async ({ hrana, env }) => {
    await using app = await startApp(env);
    const browser = await signedIn(app, await fillCompany(app));
    const records = (await listPlaces(app)).filter((place) =>
      /^\/app\/(?:cases|contacts)\/[\w-]{36}$/.test(place)
    );
    assert.equal(records.length, 2);
    for (const address of records) {
      await browser.get(address);
      hrana.reset();
      const page = await browser.get(address);
      const ofPage = hrana.roundTrips();
      hrana.reset();
      const refused = await browser.submit(page, `${address}/notes`, { note: "" });
      assert.equal(refused.status, 422, address);
      assert.ok(hrana.roundTrips() <= ofPage + 2, `${address}: ${hrana.roundTrips()}, the page ${ofPage}`);
    }
  }));
