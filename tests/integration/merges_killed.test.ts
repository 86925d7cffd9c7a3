/**
 * Processes that merge and undo are killed at random moments: a merge is whole or has not been, and its undo gives back
 * all. `MERGE_KILLS` makes the test larger.
 */
import assert from "node:assert/strict";
import { copy } from "../customers/deletion_world.ts";
import { makeSales } from "../sales/leads_world.ts";
import { startApp } from "../support/app.ts";
import { KilledService, waitUntil } from "./killed.ts";
import { createCustomer, readEverything } from "./merges_world.ts";

const kills = Number(Deno.env.get("MERGE_KILLS") ?? 2);
const patience = 60_000;
/** Milliseconds before each commit, so that a kill comes between two of them. */
const pause = 30;

for (const [size, people] of [["small", 0], ["large", 230]] as const) {
  Deno.test(`a ${size} merge and its undo are whole after ${kills} kills of each`, async () => {
    await using app = await startApp();
    const place = await makeSales(app);
    const { admin } = place;
    const [a, b] = [await createCustomer(place, "Alpha"), await createCustomer(place, "Beta")];
    const id = "lower(hex(randomblob(4)) || '-0000-7000-8000-' || hex(randomblob(6)))";
    if (people > 0) {
      await copy(app, "contacts", `x.id = '${b.contacts[0].id}'`, { id, external_id: "null" }, people);
    }
    await app.idle();
    const [into, from] = [`/v1/accounts/${a.account.id}`, `/v1/accounts/${b.account.id}`];
    const before = await readEverything(admin);
    await using service = new KilledService(app, pause);
    await service.start();
    const rest = async () =>
      Number(
        (await app.sql(
          "select (select count(*) from merge_locks) + (select count(*) from staged_work) as n",
        ))[0]!.n,
      ) ===
        0;
    /** Calls until it has succeeded, each time killed in the middle. */
    const throughKills = async (call: () => Promise<unknown>, isDone: () => Promise<boolean>) => {
      for (let kill = 0; kill < kills && !await isDone(); kill++) {
        const calling = call().catch((error) => {
          if (!(error instanceof TypeError)) throw error;
        });
        await new Promise((resolve) => setTimeout(resolve, Math.random() * pause * (people > 0 ? 8 : 3)));
        await service.kill();
        await calling;
        await service.start();
        await waitUntil(rest, patience);
      }
      if (!await isDone()) await call();
      await waitUntil(async () => await rest() && await isDone(), patience);
    };
    for (let round = 0; round < Math.ceil(kills / 2); round++) {
      await throughKills(
        () => service.call(admin, "POST", `${into}/merge`, { from_id: b.account.id }),
        async () => {
          const { status, body } = await admin.call("GET", from);
          if (status === 200) assert.deepEqual(await readEverything(admin), before);
          else assert.deepEqual([status, body.merged_into], [404, a.account.id]);
          return status === 404;
        },
      );
      assert.equal((await admin.call("GET", `${into}/contacts`)).body.pagination.total, people + 4);
      const { data: [merge] } = (await admin.call("GET", "/v1/merges")).body;
      await throughKills(
        () => service.call(admin, "POST", `/v1/merges/${merge.id}/undo`),
        async () => (await admin.call("GET", `/v1/merges/${merge.id}`)).body.undone_at !== null,
      );
      assert.deepEqual(await readEverything(admin), before);
      for (const table of ["merge_locks", "merge_rows", "merged_records"]) {
        assert.deepEqual([table, await app.sql(`select count(*) as n from ${table}`)], [table, [{ n: 0 }]]);
      }
    }
  });
}
