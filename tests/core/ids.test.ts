import assert from "node:assert/strict";
import { isIntegerId, isUuid, makeId, makeToken } from "../../src/core/ids.ts";

Deno.test("a new id is a UUID version 7 of its moment", () => {
  const now = Date.UTC(2031, 4, 6, 7, 8, 9, 123);
  const id = makeId(now);
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(parseInt(id.replaceAll("-", "").slice(0, 12), 16), now);
});

Deno.test("ids rise, also within a millisecond and when the clock steps back a little", () => {
  const now = Date.UTC(2032, 0, 1);
  const ids: string[] = [];
  for (let n = 0; n < 5000; n++) ids.push(makeId(now));
  for (let n = 0; n < 100; n++) ids.push(makeId(now - n * 50));
  ids.push(makeId(now + 1));
  assert.deepEqual(ids, ids.toSorted());
  assert.equal(new Set(ids).size, ids.length);
});

Deno.test("an id follows a clock that was set back", () => {
  makeId(Date.UTC(2033, 0, 1));
  const earlier = Date.UTC(2032, 11, 1);
  assert.equal(parseInt(makeId(earlier).replaceAll("-", "").slice(0, 12), 16), earlier);
});

Deno.test("the form of a UUID", () => {
  for (
    const text of [makeId(), "00000000-0000-0000-0000-000000000000", "0190A1B2-C3D4-4abc-8def-0123456789AB"]
  ) {
    assert.ok(isUuid(text), text);
  }
  for (
    const text of ["", "12", makeId().replaceAll("-", ""), ` ${makeId()}`, `${makeId()}\n`, `{${makeId()}}`]
  ) {
    assert.ok(!isUuid(text), text);
  }
});

Deno.test("the form of an integer id", () => {
  for (const text of ["1", "10", "9007199254740991"]) assert.ok(isIntegerId(text), text);
  for (const text of ["", "0", "01", "-1", "+1", "1.0", "1e3", " 1", "1\n", "0x1", "9007199254740992", "٣"]) {
    assert.ok(!isIntegerId(text), text);
  }
});

Deno.test("random tokens are 256 bits in base64url and differ", () => {
  const tokens = Array.from({ length: 100 }, () => makeToken());
  for (const token of tokens) assert.match(token, /^[A-Za-z0-9_-]{43}$/);
  assert.equal(new Set(tokens).size, 100);
});
