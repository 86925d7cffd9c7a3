import assert from "node:assert/strict";
import { Json, jsonOf, placePart, plain } from "../../src/core/json.ts";

const country: Json<{ code: string }> = new Json('{"code":"DE"}', "\u0001de", [
  { name: "de", text: '{"code":"DE"}', shared: true },
]);

Deno.test("a plain body is serialised as it is", () => {
  const body = { id: null, name: 'a "b"', list: [1, { two: true }] };
  const json = jsonOf(body);
  assert.deepEqual(json.text, JSON.stringify(body));
  assert.deepEqual(json.isPlain, true);
});

Deno.test("finished parts stand at their places, in the text and in the tag", () => {
  const json = jsonOf({ a: placePart(country), list: [placePart(plain([1])), placePart(country)], z: "end" });
  assert.deepEqual(json.text, '{"a":{"code":"DE"},"list":[[1],{"code":"DE"}],"z":"end"}');
  assert.deepEqual(json.tag, '{"a":\u0001de,"list":[[1],\u0001de],"z":"end"}');
  assert.deepEqual(json.constants.map(({ name }) => name), ["de", "de"]);
});

Deno.test("finished JSON stays as it is, and is placed by jsonOf alone", () => {
  assert.deepEqual(jsonOf(country), country);
  assert.throws(() => JSON.stringify({ country }), TypeError);
  assert.throws(() =>
    jsonOf({
      broken: {
        toJSON: () => {
          throw new RangeError("broken");
        },
      },
    }), RangeError);
  assert.throws(() => JSON.stringify({ country }), TypeError);
});
