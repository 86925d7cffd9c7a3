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
