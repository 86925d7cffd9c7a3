import assert from "node:assert/strict";
import { BoundedMap } from "../../src/core/bounded_map.ts";
import fc from "../support/properties.ts";

Deno.test("a bounded map never exceeds its bytes and returns the last value set", () => {
  const step = fc.record({
    key: fc.constantFrom(..."abcdefgh"),
    does: fc.constantFrom("set", "set", "get", "delete"),
    bytes: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
    const map = new BoundedMap<{ bytes: number }>(100);
    const last = new Map<string, { bytes: number }>();
    for (const { key, does, bytes } of steps) {
      if (does === "set") {
        const value = { bytes };
        map.set(key, value, bytes);
        last.set(key, value);
      } else if (does === "delete") {
        map.delete(key);
        last.delete(key);
      } else {
        const found = map.get(key);
        if (found) assert.equal(found, last.get(key));
      }
      const all = [..."abcdefgh"].filter((name) => map.has(name));
      assert.equal(all.length, map.size);
      assert.ok(all.reduce((sum, name) => sum + last.get(name)!.bytes, 0) <= 100);
    }
  }));
});

Deno.test("an entry that is read often stays while others come and go", () => {
  const map = new BoundedMap<string>(100);
  map.set("used", "value", 10);
  for (let n = 0; n < 1000; n++) {
    map.set(`other ${n}`, "x", 10);
    assert.equal(map.get("used"), "value");
  }
  assert.ok(map.size <= 10);
  map.set("large", "x", 51);
  assert.equal(map.get("large"), undefined);
  map.clear();
  assert.deepEqual([map.size, map.get("used")], [0, undefined]);
});
