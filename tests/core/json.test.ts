import assert from "node:assert/strict";
import { Json, list, object } from "../../src/core/json.ts";

Deno.test("a tag is the text with names instead of its constants, and expands to it", () => {
  const constant = { name: "abc1", text: '[{"id":"DE"}]', shared: true };
  const options = new Json(constant.text, "<abc1>", [constant]);
  const field = object({ name: "country", value: "DE", options });
  const record = object({
    id: 1,
    fields: list([field, object({ name: "city", options: new Json("[]") }), field]),
    note: "ü",
  });
  assert.deepEqual(JSON.parse(record.text), {
    id: 1,
    fields: [
      { name: "country", value: "DE", options: [{ id: "DE" }] },
      { name: "city", options: [] },
      { name: "country", value: "DE", options: [{ id: "DE" }] },
    ],
    note: "ü",
  });
  assert.equal(record.tag.includes('DE"}'), false);
  assert.equal(record.tag.replaceAll("<abc1>", constant.text), record.text);
  assert.deepEqual(record.constants, [constant, constant]);
});

Deno.test("text without constants is its own tag", () => {
  const plain = object({ id: 1, list: list([object({ a: null })]) });
  assert.equal(plain.tag, plain.text);
  assert.deepEqual(plain.constants, []);
});
