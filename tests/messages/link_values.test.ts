/** Values in links, and placeholders that an editor encoded there. */
import assert from "node:assert/strict";
import { composeWith } from "../../src/messages/placeholders/compose.ts";
import { listNamesIn, parseText, sanitizeFrame } from "../../src/messages/placeholders/syntax.ts";
import { processorTime } from "../support/processor_time.ts";

const values: Record<string, string> = {
  "account.name": "Smith & Sons",
  "contact.email": "a+b@example.com",
  "contact.custom.ref": '50%\ud800 "x"\'<',
  "account.website": "https://smith.example/a?b=c",
  path: "a b",
};

async function readHref(content: string): Promise<string> {
  const frame = await sanitizeFrame(content);
  const { html } = await composeWith(
    { subject: null, content: frame, frame: null },
    () => (name) => values[name],
  );
  return html.match(/href="([^"]*)"/)![1]!.replaceAll("&amp;", "&");
}

Deno.test("a value in the query or fragment of a link is percent-encoded", async () => {
  const href = await readHref(
    '<a href="https://x.example/?c={{account.name}}&amp;e={{contact.email}}&r={{contact.custom.ref}}#{{path}}">x</a>',
  );
  const { searchParams, hash } = new URL(href);
  assert.deepEqual(
    ["c", "e", "r"].map((name) => searchParams.get(name)),
    ["Smith & Sons", "a+b@example.com", '50%\ufffd "x"\'<'],
  );
  assert.equal(hash, "#a%20b");
});

Deno.test("a value that is a whole address, and one outside of links, stay as they are", async () => {
  assert.equal(await readHref('<a href="{{account.website}}">x</a>'), "https://smith.example/a?b=c");
  const { html } = await composeWith(
    {
      subject: null,
      content: '<a href="https://x.example/?a=1">{{account.name}}</a> ? {{account.name}}',
      frame: null,
    },
    () => (name) => values[name],
  );
  assert.equal(html, '<a href="https://x.example/?a=1">Smith &amp; Sons</a> ? Smith &amp; Sons');
});

Deno.test("a value inside a section of a link is percent-encoded too", async () => {
  const content = '<a href="https://x.example/?{{#account.name}}c={{account.name}}{{/account.name}}">x</a>';
  assert.equal(await readHref(content), "https://x.example/?c=Smith%20%26%20Sons");
});

Deno.test("a section around a whole address encodes nothing, and one before a query only what follows", async () => {
  const section = (inner: string) => `{{#account.website}}${inner}{{/account.website}}`;
  const address = `<a href="${section("{{account.website}}")}">x</a>`;
  assert.equal(await readHref(address), "https://smith.example/a?b=c");
  const query = `<a href="${section("{{account.website}}")}&c={{account.name}}">x</a>`;
  assert.equal(await readHref(query), "https://smith.example/a?b=c&c=Smith & Sons");
  const mixed = `<a href="{{#path}}https://x.example/{{path}}{{/path}}?c={{account.name}}">x</a>`;
  assert.equal(await readHref(mixed), "https://x.example/a b?c=Smith%20%26%20Sons");
});

Deno.test("links of many braces are read in linear time", async () => {
  const took = await processorTime(() => parseText(`<p>{{a}}</p><a href="${"{{a".repeat(60_000)}">}}</a>`));
  assert.ok(took < 1_000, `${took} ms`);
});

Deno.test("placeholders that an editor encoded in a link are filled and reported", async () => {
  const content =
    '<a href="https://x.example/?c=%7B%7Baccount.name%7D%7D&e=%7b%7b%20contact.emial%20%7d%7d">x</a>';
  const frame = await sanitizeFrame(content);
  assert.deepEqual(listNamesIn(parseText(frame)), ["account.name", "contact.emial"]);
  assert.equal(await readHref(content), "https://x.example/?c=Smith%20%26%20Sons&e=");
});

Deno.test("placeholders that an editor encoded with a third brace or & are filled as well", async () => {
  for (
    const written of [
      "%7B%7B%7Baccount.name%7D%7D%7D",
      "%7B%7B&account.name%7D%7D",
      "%7B%7B%26account.name%7D%7D",
    ]
  ) {
    const content = `<a href="https://x.example/?c=${written}">x</a>`;
    assert.deepEqual(listNamesIn(parseText(await sanitizeFrame(content))), ["account.name"], written);
    assert.equal(await readHref(content), "https://x.example/?c=Smith%20%26%20Sons", written);
  }
});

Deno.test("placeholders in the address of a picture are filled and encoded as those of a link", async () => {
  for (const written of ["{{account.name}}", "%7B%7Baccount.name%7D%7D"]) {
    const frame = await sanitizeFrame(
      `<img src="https://x.example/p.png?c=${written}" alt="{{account.name}}">`,
    );
    assert.deepEqual(listNamesIn(parseText(frame)), ["account.name"]);
    const content = { subject: null, content: frame, frame: null };
    const { html } = await composeWith(content, () => (name) => values[name]);
    assert.match(html, /src="https:\/\/x\.example\/p\.png\?c=Smith%20%26%20Sons" alt="Smith &amp; Sons"/);
  }
});

Deno.test("encoded braces that make no placeholder stay as they were written", async () => {
  for (const query of ["%7B%7B%22%7D%7D", "%7B%7B%zz%7D%7D", "%7B%7B{{%7D%7D", "%7B%7B"]) {
    const html = `<a href="https://x.example/?c=${query}">x</a>`;
    assert.equal(await sanitizeFrame(html), html);
  }
});
