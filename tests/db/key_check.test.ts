import assert from "node:assert/strict";
import { contributions } from "../../src/contributions.ts";
import { hasKey, keyFits } from "../../src/db/key_check.ts";
import { seal } from "../../src/platform/crypto.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { onEachMigrated } from "../support/engines.ts";

const { sealed } = contributions;
const [key, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

async function subscribe(db: Database, sealedWith: Uint8Array): Promise<void> {
  await db.write([{
    sql:
      "insert into webhooks (company_id, user_id, target_url, event_name, verification_token, created_at, " +
      "updated_at) values (1, 1, ?, '*', ?, 'x', 'x')",
    args: [`https://example.com/${crypto.randomUUID()}`, seal(sealedWith, "token")],
  }]);
}

onEachMigrated("a database keeps its first key", async ({ db }) => {
  assert.equal(await hasKey(db, sealed), false);
  assert.equal(await keyFits(db, key, sealed), true);
  assert.deepEqual(
    [
      await hasKey(db, sealed),
      await keyFits(db, key, sealed),
      await keyFits(db, other, sealed),
      await keyFits(db, key, sealed),
    ],
    [true, true, false, true],
  );
});

onEachMigrated(
  "of two simultaneous first keys one becomes the key, and the other does not fit",
  async ({ db }) => {
    const fits = await Promise.all([keyFits(db, key, sealed), keyFits(db, other, sealed)]);
    assert.deepEqual(fits.sort(), [false, true]);
  },
);

onEachMigrated(
  "a sealed database without a key check accepts only the key that opens it",
  async ({ db }) => {
    await subscribe(db, key);
    assert.equal(await hasKey(db, sealed), true);
    assert.equal(await keyFits(db, other, sealed), false);
    assert.equal(await keyFits(db, key, sealed), true);
    assert.equal(await keyFits(db, other, sealed), false);
  },
);
