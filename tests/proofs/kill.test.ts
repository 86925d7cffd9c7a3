import assert from "node:assert/strict";
import { inFolder } from "../support/engines.ts";
import { killWhileWriting } from "./kill.ts";

Deno.test("every answered write survives 6 kills completely and is notified once", () =>
  inFolder(async (folder) => {
    const { answered, cut, deliveries, requests, deleted } = await killWhileWriting(6, 40, folder);
    // Otherwise the test proves nothing.
    assert.ok(answered > 150 && cut > 6, `${answered} answered, ${cut} cut off`);
    assert.ok(deliveries >= answered, `${deliveries} deliveries`);
    assert.ok(requests > deliveries, `${requests} requests`);
    assert.ok(deleted > 1, `${deleted} deleted`);
  }));
