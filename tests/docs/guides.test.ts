import assert from "node:assert/strict";
import { endpoints, filterFields } from "../../src/app.ts";
import { eventNames } from "../../src/core/events.ts";
import { rights } from "../../src/core/rights.ts";
import { insertParts } from "../../src/docs/content.ts";
import { exampleHead } from "../../src/docs/example_head.ts";
import { guides } from "../../src/docs/guides.ts";
import { render } from "../../src/docs/markdown.ts";
import { makeGuideParts } from "../../src/docs/parts.ts";
import payloads from "../../src/docs/payloads.json" with { type: "json" };
import { meanings } from "../../src/http/problem_meanings.ts";
import { leadMoves, nextLeadStates, states } from "../../src/sales/leads/lifecycle.ts";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { readSources } from "../structure/imports.ts";
import { projectRoot } from "../support/process.ts";
import { describeShape, recordPayloads } from "./payloads.ts";

const parts = makeGuideParts(filterFields, endpoints);
const readGuide = async (slug: string) =>
  await insertParts(
    (await guides.find((guide) => guide.slug === slug)!.load()).default,
    parts,
  );

/** The cells of the table below a heading. */
function rowsUnder(text: string, heading: string): string[][] {
  const part = `\n${text}`.slice(`\n${text}`.indexOf(`\n${heading}\n`));
  const lines = /^\|[^]*?(?=^[^|]|\n\n)/m.exec(part)![0].trim().split("\n")
    .slice(2);
  return lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

Deno.test("every guide begins with its title and is listed", async () => {
  const files = [...Deno.readDirSync(`${projectRoot}src/docs/guides`)].map((
    { name },
  ) => name);
  assert.deepEqual(files.sort(), guides.map(({ slug }) => `${slug}.md`).sort());
  for (const { slug, title, load } of guides) {
    const rendered = render(await insertParts((await load()).default, parts));
    assert.equal(rendered.title, title, slug);
    assert.doesNotMatch(rendered.html, /<!--|<h1/, slug);
  }
});

Deno.test("the table of filter fields names every field with the operators that the parser takes", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const text = await readGuide("filters");
  const operators = "eq neq sw ew ct nct exists gt gte lt lte in nin".split(
    " ",
  );
  const check = async (path: string, rows: string[][]) => {
    assert.ok(rows.length > 10);
    const wrong = "🚫";
    for (const [field, , , choices] of rows) {
      const name = field!.split("`")[1]!;
      const filter = operators.map((operator) => ({
        field: name,
        operator,
        value: operator === "in" ? {} : [wrong],
      }));
      const { body } = await admin.call("POST", path, { filter });
      const refused = body.errors.filter(({ code }: Body) => code === "operator").map(({ path }: Body) =>
        operators[Number(/\d+/.exec(path)![0])]
      );
      assert.deepEqual(
        rows.find((row) => row[0] === field)![2]!.split(" ").toSorted(),
        operators.filter((operator) => !refused.includes(operator)).toSorted(),
        name,
      );
      assert.ok(
        !body.errors.some(({ code }: Body) => code === "unknown_field"),
        name,
      );
      const [first] = /`([^`]+)`/.exec(choices!)?.slice(1) ?? [];
      if (first === undefined) continue;
      const eq = (value: string) => ({
        filter: [{ field: name, operator: "eq", value }],
      });
      assert.equal(
        (await admin.call("POST", path, eq(first))).status,
        200,
        name,
      );
      assert.equal(
        (await admin.call("POST", path, eq(wrong))).body.errors[0].code,
        "enum",
        name,
      );
    }
  };
  const rows = rowsUnder(text, "## Fields");
  await check("/v1/contacts/filter", rows);
  await check("/v1/leads/filter", rowsUnder(text, "### Fields of leads"));
  // One documented name of each namespace.
  for (
    const name of [
      "account.b2c",
      "b2b_account.fixed_fields.name",
      "b2c_contact.consent.email.consent_given",
      "contact.status",
      "case.tasks.status",
      "case.milestones.id",
      "lead.lead_type",
      "product_detail.product.category",
    ]
  ) assert.ok(rows.some(([field]) => field!.includes(`\`${name}\``)), name);
});

Deno.test("the tables of moves, codes and rights are those of the code", async () => {
  const leads = rowsUnder(await readGuide("leads"), "## Moves");
  assert.equal(leads.length, states.length);
  for (const [at, state] of states.entries()) {
    const cells = leads[at]!.slice(2);
    assert.deepEqual(
      cells.map((cell) => cell !== ""),
      leadMoves.map((move) => nextLeadStates[state][move] !== undefined),
      state,
    );
  }
  const codes = rowsUnder(await readGuide("errors"), "## Codes").map(([, code]) => code!.replaceAll("`", ""));
  assert.deepEqual(codes, Object.keys(meanings));
  const named = rowsUnder(await readGuide("visibility"), "## Rights").map((
    [, right],
  ) => right!.replaceAll("`", ""));
  assert.deepEqual(named.toSorted(), Object.keys(rights).toSorted());
});

Deno.test("every event has a body in the guide, in the form that is sent", async () => {
  await using app = await startApp();
  const recorded: Readonly<Record<string, Body>> = payloads;
  const text = await readGuide("webhooks");
  const fresh = await recordPayloads(app);
  for (const name of eventNames) {
    assert.ok(text.includes(`### \`${name}\``), name);
    assert.deepEqual(
      describeShape(recorded[name]),
      describeShape(fresh[name]),
      `${name}: deno run -A tests/docs/payloads.ts`,
    );
  }
});

Deno.test("the guide to settings, the example and the service have the same variables", async () => {
  const source = await Deno.readTextFile(`${projectRoot}src/config.ts`);
  const body = /const variables = \{([^]*?)\n\};/.exec(source)![1]!;
  const names = [...body.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map((
    [, name],
  ) => name!).sort();
  assert.ok(names.length > 15);
  const rows = rowsUnder(await readGuide("settings"), "# Settings");
  const described = rows.flatMap(([cell]) => [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  assert.deepEqual(described.sort(), names);
  const example = await Deno.readTextFile(`${projectRoot}.env.example`);
  const offered = [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map((
    [, name],
  ) => name!);
  assert.deepEqual(offered.filter((name) => !names.includes(name)), []);
});

Deno.test("the guide to operations says what each error of the log means", async () => {
  const rows = rowsUnder(await readGuide("operations"), "## The log");
  const described = rows.flatMap(([cell]) => [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  const logged = readSources(new URL("../../", import.meta.url)).filter(({ path }) => path.startsWith("src/"))
    .flatMap(({ text }) => [...text.matchAll(/log\.error\(\{\s*event: "(\w+)"/g)].map(([, name]) => name!));
  assert.ok(new Set(logged).size > 20);
  assert.deepEqual([...new Set(logged)].filter((name) => !described.includes(name)).sort(), []);
});

Deno.test("the README is short, and leads to every guide", async () => {
  const text = await Deno.readTextFile(`${projectRoot}README.md`);
  const size = new TextEncoder().encode(text).length;
  assert.ok(size <= 10_240, `${size} bytes`);
  const linked = [...text.matchAll(/\]\(src\/docs\/guides\/([\w-]+)\.md\)/g)].map(([, slug]) => slug!);
  assert.deepEqual([...new Set(linked)].sort(), guides.map(({ slug }) => slug).sort());
});

Deno.test("/docs begins with the tour of the README", async () => {
  const tour = await Deno.readTextFile(`${projectRoot}src/docs/tour.md`);
  const readme = await Deno.readTextFile(`${projectRoot}README.md`);
  const words = (text: string) => text.replaceAll("](src/docs/guides/", "](").replaceAll(/\s+/g, " ");
  assert.ok(words(readme).includes(words(tour)));
  assert.ok(tour.includes(exampleHead));
  await using app = await startApp();
  const { text } = await app.call(null, "GET", "/docs");
  const [before, after] = text.split(render(tour).html);
  assert.ok(after !== undefined && !before!.includes('<ul class="cards">'), "it stands before the guides");
});

/** The pages of the documentation, by address. */
async function readPages(app: TestApp): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const waiting = ["/docs"];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (pages.has(path)) continue;
    const { status, text, headers } = await app.call(null, "GET", path);
    assert.equal(status, 200, path);
    pages.set(path, text);
    if (!headers.get("content-type")?.startsWith("text/html")) continue;
    waiting.push(
      ...findLinks(text).map((link) => link.split(/[#?]/)[0]!).filter((link) => link.startsWith("/")),
    );
  }
  return pages;
}

function findLinks(html: string): string[] {
  return [...html.matchAll(/ (?:href|src|action|data-document)="([^"]+)"/g)]
    .map(([, link]) => link!);
}

Deno.test("every link of the documentation works, every page is linked, and no resource is external", async () => {
  await using app = await startApp();
  const { status, headers } = await app.call(null, "GET", "/");
  assert.deepEqual([status, headers.get("location")], [302, "/app"]);
  const pages = await readPages(app);
  for (const { slug } of guides) assert.ok(pages.has(`/docs/${slug}`), slug);
  for (const [path, text] of pages) {
    if (!text.startsWith("<!doctype html>")) continue;
    assert.doesNotMatch(
      text,
      /<script(?! src="\/)|<style| style="| on\w+="/,
      path,
    );
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
    assert.equal(
      new Set(ids).size,
      ids.length,
      `an id occurs twice on ${path}`,
    );
    for (const link of findLinks(text)) {
      if (/^https?:/.test(link)) continue;
      const [target, anchor] = link.split("#");
      const page = target === "" ? text : pages.get(target!.split("?")[0]!)!;
      if (anchor) {
        assert.ok(page.includes(` id="${anchor}"`), `${link} on ${path}`);
      }
    }
  }
});

Deno.test("guides name the paths of the API in full, with /v1", async () => {
  await using app = await startApp();
  const { body } = await app.call(null, "GET", "/openapi.json");
  const toForm = (path: string) => path.replaceAll(/:\w+|\{\w+\}/g, "*");
  const known = new Set(Object.keys(body.paths).map(toForm));
  const texts = guides.filter(({ slug }) => slug !== "changelog").map(({ slug }) => readGuide(slug));
  const readme = Deno.readTextFile(`${projectRoot}README.md`);
  const named = (await Promise.all([readme, ...texts]))
    .flatMap((text) => [...text.matchAll(/`(?:[A-Z]+ )?(\/[a-z][^`\s?]*)/g)].map(([, path]) => path!));
  assert.ok(named.filter((path) => known.has(toForm(path))).length > 50);
  const short = named.filter((path) => !known.has(toForm(path)) && known.has(`/v1${toForm(path)}`));
  assert.deepEqual(short, []);
});

Deno.test("search finds sections by the beginnings of words and escapes the query", async () => {
  await using app = await startApp();
  const search = async (query: string) =>
    (await app.call(null, "GET", `/docs/search?q=${encodeURIComponent(query)}`))
      .text;
  const results = (html: string) =>
    [.../<ul class="results">([^]*?)<\/ul>/.exec(html)![1]!.matchAll(
      /href="([^"]+)"/g,
    )].map(([, link]) => link);
  assert.equal(
    results(await search("idempotency-key again"))[0],
    "/docs/idempotency#send-a-write-again-safely",
  );
  assert.ok(
    results(await search("accept a lead into")).includes(
      "/docs/reference/leads#acceptLead",
    ),
  );
  assert.deepEqual(results(await search("xyzzy")), []);
  assert.deepEqual(results(await search("")), []);
  const odd = await search('"><script>alert(1)</script>');
  assert.doesNotMatch(odd, /<script/);
});

Deno.test("the reference of a tag is complete and begins with how to get a token", async () => {
  await using app = await startApp();
  const { body: whole } = await app.call(null, "GET", "/openapi.json");
  const index = (await app.call(null, "GET", "/docs/reference")).text;
  assert.ok(
    index.includes('id="tokens"') &&
      index.indexOf('id="tokens"') < index.indexOf('id="tags"'),
  );
  const slugs = new Set(
    findLinks(index).map((link) => /^\/docs\/reference\/([\w-]+)$/.exec(link)?.[1]),
  );
  slugs.delete(undefined);
  assert.equal([...slugs][0], "authentication");
  const shown = new Set<string>();
  for (const slug of slugs) {
    const { body } = await app.call(
      null,
      "GET",
      `/docs/reference/${slug}/openapi.json`,
    );
    const text = JSON.stringify(body);
    for (
      const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)
    ) {
      assert.deepEqual(
        body.components.schemas[name!],
        whole.components.schemas[name!],
        name,
      );
    }
    assert.equal(
      body.components.securitySchemes.oauth2.flows.clientCredentials.tokenUrl,
      `${app.url}/auth/token`,
    );
    const operations = Object.values<Body>(body.paths).flatMap((methods) => Object.values<Body>(methods));
    assert.ok(
      operations.length >= 1 && operations.length <= 14,
      `${slug} has ${operations.length} operations`,
    );
    for (const { operationId } of operations) shown.add(operationId);
  }
  const left = Object.entries<Body>(whole.paths).flatMap(([path, methods]) =>
    Object.values<Body>(methods).filter(({ operationId }) => !shown.has(operationId)).map(() => path)
  );
  assert.deepEqual(
    left.filter((path) => path.startsWith("/v1/") || path.startsWith("/upload/")),
    [],
  );
  assert.ok(left.includes("/auth/sign-in") && left.includes("/auth/style.css"));
});

Deno.test("the table of badges has the badges and sizes of the answer", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body } = await admin.call("GET", "/v1/gamification/badges");
  const all = [...body.badges, ...body.special_badges];
  assert.deepEqual(
    rowsUnder(await readGuide("gamification"), "## Badges").map(([id, name, of]) => `${id} ${name} ${of}`),
    all.map(({ id, name, progress }: Body) => {
      const special = body.special_badges.some((badge: Body) => badge.id === id) ? " (special)" : "";
      return `${id} \`${name}\`${special} ${progress.of}`;
    }),
  );
});
