import assert from "node:assert/strict";
import { type Constant, Json, placeConstant, toJson, writeRecords } from "../../src/core/json.ts";

const country: Constant = { name: "a".repeat(40), text: '[{"id":"DE"}]', shared: true };
const options = placeConstant<{ id: string }[]>(country);

Deno.test("a plain body is serialised as it is, and its tag is its text", () => {
  const body = { id: null, name: 'a "b" \\/ ü', list: [1, { two: true }] };
  const json = toJson(body);
  assert.deepEqual([json.text, json.tag, json.constants], [JSON.stringify(body), json.text, []]);
  assert.equal(json.length, json.text.length);
  assert.equal(toJson(json), json);
});

Deno.test("a tag is the text with names instead of its constants, and is JSON itself", () => {
  const field = { name: "country", value: "DE", options };
  const record = toJson({ id: 1, fields: [field, { name: "city", options: [] }, field], note: "ü" });
  const of = (list: unknown) => ({
    id: 1,
    fields: [{ ...field, options: list }, { name: "city", options: [] }, { ...field, options: list }],
    note: "ü",
  });
  assert.equal(record.text, JSON.stringify(of([{ id: "DE" }])));
  assert.deepEqual(JSON.parse(record.tag), of(`/${country.name}`));
  assert.equal(record.tag.replaceAll(`"\\/${country.name}"`, country.text), record.text);
  assert.deepEqual(record.constants, [country, country]);
  assert.equal(record.length, record.text.length);
  assert.equal(new TextDecoder().decode(record.encode()), record.text);
});

Deno.test("the texts of a user forge no constant", () => {
  const texts = [`"\\/${country.name}"`, `\\/${country.name}`, `/${country.name}`, `\u007f${country.name}`];
  const json = toJson({ texts, options });
  assert.deepEqual(JSON.parse(json.text).texts, texts);
  assert.equal(json.tag.split('"\\/').length, 2);
});

Deno.test("a constant that was not used lately is found in the body", () => {
  const long = placeConstant<string>({ name: "b".repeat(40), text: '"kept"', shared: false });
  for (let n = 0; n < 9; n++) {
    const name = `${n}`.repeat(40);
    placeConstant({ name, text: `"${"x".repeat(8 * 1024 * 1024)}"`, shared: false });
  }
  assert.equal(toJson({ a: [{ b: long }] }).text, '{"a":[{"b":"kept"}]}');
});

Deno.test("records that are written already stand in a page", () => {
  const records = [toJson({ id: 1, options }), toJson({ id: 2, options: [] })];
  const page = writeRecords(records, { total: 2 });
  assert.equal(
    page.text,
    '{"data":[{"id":1,"options":[{"id":"DE"}]},{"id":2,"options":[]}],"total":2}',
  );
  assert.equal(new TextDecoder().decode(page.encode()), page.text);
  assert.equal(writeRecords([], {}).text, '{"data":[]}');
  assert.equal(writeRecords([new Json("1")], {}).text, '{"data":[1]}');
});
