/** What is done later has one loop. Other sources that claim rows for a time are listed here with the reason. */
import assert from "node:assert/strict";
import { readSources } from "../structure/imports.ts";

const claiming: Readonly<Record<string, string>> = {
  "src/customers/contacts/direction.ts": "no work: keeps two calls from moving a contact to and fro",
  "src/db/clock_ahead.ts": "no work: moves ends that a clock which was ahead has written",
  "src/db/objects.ts": "removes a batch of objects from the storage at once; below the layer of the loop",
  "src/delivery/webhooks/claim.ts": "the claim of the turns of the loop: a target is leased, not its rows",
  "src/later/row_claim.ts": "the claim of rows of the loop",
  "src/staged/steps.ts": "each step renews the lease in its own commit, which fails without it",
};

/** A statement that sets a moment ahead of the clock, or makes a lease. */
const claim =
  /sql`[^`]*?(?:update \S+(?: as \w+)? set|insert into leases)[^`]*?\$\{\s*(?:now \+ \w+|claim\.end|leaseEnd\(\w+\))\s*\}/;

Deno.test("rows are claimed by the loop of later work, or the list has a reason", () => {
  const found = readSources(new URL("../../", import.meta.url)).filter((
    { text },
  ) => claim.test(text));
  assert.deepEqual(found.map(({ path }) => path).sort(), Object.keys(claiming));
});
