import assert from "node:assert/strict";
import { inFolder } from "../support/engines.ts";
import { killWhileWriting } from "./kill.ts";

Deno.test("what was answered survives 25 kills in the midst of writes, each write whole and told of once", () =>
  inFolder(async (folder) => {
    const { answered, cut, deliveries, requests, deleted } = await killWhileWriting(25, 12, folder);
    // Otherwise nothing was proved.
    assert.ok(answered > 100 && cut > 25, `${answered} answered, ${cut} cut off`);
    assert.ok(deliveries >= answered, `${deliveries} deliveries`);
    assert.ok(requests > deliveries, `${requests} requests`);
    assert.ok(deleted > 10, `${deleted} deleted`);
  }));
