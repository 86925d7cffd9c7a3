import assert from "node:assert/strict";
import { endpoints, filterFields } from "../../src/app.ts";
import { insertParts } from "../../src/docs/content.ts";
import { guides } from "../../src/docs/guides.ts";
import { render } from "../../src/docs/markdown.ts";
import { makeGuideParts } from "../../src/docs/parts.ts";
import { splitSections } from "../../src/docs/search.ts";
import { meanings } from "../../src/http/problem_meanings.ts";
import { startApp } from "../support/app.ts";

const parts = makeGuideParts(filterFields, endpoints);

Deno.test("search reads the cells of a table and the lines of a list apart", async () => {
  await using app = await startApp();
  const search = async (query: string) =>
    (await app.call(null, "GET", `/docs/search?q=${encodeURIComponent(query)}`)).text;
  assert.ok((await search("came without a team")).includes('href="/docs/leads#the-agency"'));
  const moves = await search("escalated accept lead_state");
  assert.ok(moves.includes('href="/docs/leads#moves"'));
  // No word of a page is two words of neighbours.
  for (const { slug, load } of guides) {
    const { html } = render(await insertParts((await load()).default, parts));
    const cells = [...html.matchAll(/(\p{L}{3,})<\/t[dh]>(?:<\/tr>\s*<tr>)?<t[dh]>(\p{L}{3,})/gu)];
    const text = splitSections(slug, slug, html).map((section) => section.text).join(" ");
    for (const [, left, right] of cells) {
      assert.ok(!text.includes(`${left}${right}`), `${slug}: ${left}${right}`);
    }
  }
});

Deno.test("an unknown page is a page, and a problem for a client that asks for JSON", async () => {
  await using app = await startApp();
  for (const path of ["/docs/nothing", "/docs/reference/nothing", "/docs/a/b/c", "/docs/assets/x.js"]) {
    const read = async (accept: string) => {
      const answer = await fetch(app.url + path, { headers: { accept } });
      return { answer, text: await answer.text() };
    };
    for (const accept of ["text/html,application/xhtml+xml,application/json;q=0.9", "*/*"]) {
      const { answer, text } = await read(accept);
      assert.equal(answer.status, 404, path);
      assert.match(answer.headers.get("content-type")!, /^text\/html/, path);
      assert.match(answer.headers.get("vary")!, /^Accept, /);
      assert.ok(text.includes("<h1>Page not found</h1>") && text.includes('href="/docs/leads"'), path);
    }
    for (const accept of ["application/json", "application/problem+json"]) {
      const { answer, text } = await read(accept);
      assert.deepEqual([answer.status, JSON.parse(text).code], [404, "not_found"], path);
    }
  }
});

Deno.test("the page of a problem leads to the guide to errors, as a page and as text", async () => {
  await using app = await startApp();
  for (const code of Object.keys(meanings)) {
    const address = `${app.url}/problems/${code}`;
    const page = await fetch(address, { headers: { accept: "text/html" } });
    assert.match(page.headers.get("content-type")!, /^text\/html/);
    assert.ok((await page.text()).includes('href="/docs/errors#codes"'), code);
    const plain = await fetch(address);
    assert.match(plain.headers.get("content-type")!, /^text\/plain/);
    const text = await plain.text();
    assert.ok(text.startsWith(`${code}\n`) && text.includes(`${app.url}/docs/errors#codes`), code);
  }
  const unknown = `${app.url}/problems/nothing`;
  const page = await fetch(unknown, { headers: { accept: "text/html" } });
  assert.deepEqual([page.status, page.headers.get("content-type")], [404, "text/html; charset=utf-8"]);
  assert.ok((await page.text()).includes("<h1>Page not found</h1>"));
  assert.equal((await (await fetch(unknown)).json()).code, "not_found");
});
