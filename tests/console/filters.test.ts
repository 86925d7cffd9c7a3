/** The filter builder of Customers and its saved views, without scripts. */
import assert from "node:assert/strict";
import { startApp, type TestApp } from "../support/app.ts";
import type { Browser, Shown } from "../support/browser.ts";
import { signedIn } from "./world.ts";

const listFields = (fields: Record<string, unknown>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

async function world(app: TestApp) {
  const company = await app.company();
  const { admin } = company;
  const fuel =
    (await admin.call("POST", "/v1/fields/contact", { label: "Fuel", type: "single_choice" })).body;
  const options = [];
  for (const value of ["Diesel", "Petrol"]) {
    options.push((await admin.call("POST", `/v1/fields/contact/${fuel.id}/options`, { value })).body.id);
  }
  const account = await admin.call("POST", "/v1/accounts", { fixed_fields: listFields({ name: "Ada Ltd" }) });
  const contact = (last_name: string, option: string) =>
    admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
      fixed_fields: listFields({ last_name }),
      custom_fields: [{ id: fuel.id, value: option }],
    });
  await contact("Byron", options[0]!);
  await contact("Burton", options[1]!);
  // A person's account has the contact's name.
  const person = await admin.call("POST", "/v1/accounts", {
    b2c: true,
    fixed_fields: listFields({ name: "Bell" }),
  });
  await admin.call("POST", `/v1/accounts/${person.body.id}/contacts`, {
    fixed_fields: listFields({ last_name: "Bell" }),
    custom_fields: [{ id: fuel.id, value: options[0] }],
  });
  return {
    company,
    admin,
    options,
    fuel: `contact.custom.${fuel.name}`,
    browser: await signedIn(app, admin),
  };
}

type Condition = readonly [field: string, operator: string, value: string];

const composeAddress = (conditions: readonly Condition[], more: Record<string, string> = {}) => {
  const query = new URLSearchParams({ kind: "contacts", ...more });
  for (const [field, operator, value] of conditions) {
    for (const [name, text] of Object.entries({ field, operator, value })) query.append(name, text);
  }
  return `/app/customers?${query}`;
};

function readTotal({ status, text }: Shown): number {
  assert.equal(status, 200, text);
  return Number(/data-list="(?:contacts|accounts)" data-total="(\d+)"/.exec(text)![1]);
}

/** The options that are chosen in the rows of the builder, and what stands in their text fields. */
function readRows({ text }: Shown): string[][] {
  const [builder] = text.split(/<form[^>]*aria-label="(?:Filter|Filtern)"/)[1]!.split("<template");
  return builder!.split("<fieldset").slice(1).map((row) =>
    [...row.matchAll(/<option value="([^"]+)" selected|name="value" value="([^"]*)"/g)].map(([, one, text]) =>
      one ?? text!
    )
  );
}

const find = async (browser: Browser, ...conditions: Condition[]) =>
  readTotal(await browser.get(composeAddress(conditions)));

Deno.test("conditions narrow the list, of companies' contacts and of people alike", async () => {
  await using app = await startApp();
  const { browser, fuel, options } = await world(app);
  const blank = await browser.get("/app/customers");
  assert.deepEqual(readRows(blank).length, 1, "an empty row");
  for (const operator of ["eq", "nct", "gte", "not_exists"]) {
    assert.ok(blank.text.includes(`<option value="${operator}"`), operator);
  }
  assert.equal(await find(browser, ["contact.last_name", "sw", "b"]), 3);
  assert.equal(await find(browser, ["contact.last_name", "eq", "bell"]), 1);
  assert.equal(await find(browser, ["contact.last_name", "neq", "bell"]), 2);
  assert.equal(await find(browser, ["contact.last_name", "in", "Bell, byron"]), 2);
  assert.equal(await find(browser, ["contact.first_name", "exists", ""]), 0);
  assert.equal(await find(browser, ["contact.first_name", "not_exists", "left over"]), 3);
  assert.equal(await find(browser, [fuel, "eq", options[0]!]), 2);
  assert.equal(await find(browser, [fuel, "nin", `${options[0]}`]), 1);
  assert.equal(await find(browser, [fuel, "in", "Diesel, petrol"]), 3, "by the names of the choices too");
  assert.equal(await find(browser, ["contact.last_name", "sw", "b"], [fuel, "eq", options[1]!]), 1);
  assert.equal(await find(browser, ["b2b_contact.fixed_fields.last_name", "sw", "b"]), 2);
  assert.equal(await find(browser, ["account.name", "eq", "ada ltd"]), 2);
  assert.equal(await find(browser, ["contact.b2c", "eq", "true"]), 1);
  assert.equal(await find(browser, ["contact.created_at", "gt", "NOW-1d"]), 3);
  assert.equal(await find(browser, ["contact.created_at", "lt", "2001-01-31"]), 0);
  const accounts = composeAddress([["contact.last_name", "eq", "burton"]], { kind: "accounts" });
  assert.equal(readTotal(await browser.get(accounts)), 1);
  const searched = composeAddress([["contact.last_name", "sw", "b"]], { search: "byron" });
  assert.equal(readTotal(await browser.get(searched)), 1, "the search holds beside the filter");
});

Deno.test("the builder shows what it was given, with what fits each field", async () => {
  await using app = await startApp();
  const { browser, fuel, options } = await world(app);
  const shown = await browser.get(
    composeAddress([["contact.last_name", "sw", "b"], [fuel, "in", options.join()]]),
  );
  assert.deepEqual(readRows(shown), [["contact.last_name", "sw", "b"], [fuel, "in", "Diesel, Petrol"]]);
  const [first, second] = shown.text.split("<template")[0]!.split("<fieldset").slice(1);
  assert.doesNotMatch(first!, /<option value="gt"/);
  assert.doesNotMatch(second!, /<option value="sw"/);
  const without = /href="([^"]+)" aria-label="Remove row 1"/.exec(first!)![1]!.replaceAll("&amp;", "&");
  assert.deepEqual(readRows(await browser.get(without)), [[fuel, "in", "Diesel, Petrol"]]);
  const more = await browser.get(`${composeAddress([["contact.last_name", "sw", "b"]])}&add=1`);
  assert.equal(readRows(more).length, 2);
  assert.equal(readTotal(more), 3);
  const choice = await browser.get(composeAddress([[fuel, "eq", options[1]!]]));
  assert.match(
    choice.text,
    new RegExp(`<option value="${options[1]}" selected="">Petrol</option>|selected[^>]*>Petrol<`),
  );
});

Deno.test("conditions that mean nothing are left out and named, never a 500", async () => {
  await using app = await startApp();
  const { browser, fuel } = await world(app);
  for (
    const wrong of [
      ["contact.shoe_size", "eq", "43"],
      ["contact.last_name", "gt", "x"],
      ["contact.last_name", "is", "x"],
      ["contact.team_id", "eq", "many"],
      ["contact.created_at", "gt", "yesterday"],
      ["contact.b2c", "eq", "perhaps"],
      [fuel, "eq", "Water"],
      ["contact.last_name", "eq", ""],
      ["", "eq", "x"],
      ["contact.last_name", "eq", "x".repeat(300)],
    ] as const
  ) {
    const page = await browser.get(composeAddress([["contact.last_name", "eq", "bell"], wrong]));
    assert.equal(readTotal(page), 1, wrong.join(" "));
    const [, id] = /role="alert"[^>]*>.*?<a href="#(filter-1-\w+)">Row 2: [^<]+\./.exec(page.text) ?? [];
    assert.ok(id, `${wrong}: ${page.text}`);
    assert.match(page.text, new RegExp(`id="${id}"[^>]*aria-invalid="true"`), wrong.join(" "));
  }
  for (const filter of ["nonsense", "{}", "[1]", '[{"and":[]}]', '[{"field":7}]', "[".repeat(500)]) {
    const page = await browser.get(composeAddress([], { filter }));
    assert.equal(readTotal(page), 3, filter);
    assert.match(page.text, /role="alert"[^>]*>[^<]*filter/, filter);
  }
  const many = Array.from({ length: 300 }, (): Condition => ["contact.last_name", "sw", "b"]);
  assert.ok(readTotal(await browser.get(composeAddress(many))) >= 0);
});

Deno.test("a filter of the API is followed; what the builder cannot show stands as text and stays", async () => {
  await using app = await startApp();
  const { browser } = await world(app);
  const either = {
    or: [
      { field: "b2b_contact.fixed_fields.last_name", operator: "eq", value: "byron" },
      { and: [{ field: "contact.status", operator: "eq", value: "customer" }] },
    ],
  };
  const both = ["b2b", "b2c"].map((kind) => ({
    field: `${kind}_contact.fixed_fields.last_name`,
    operator: "sw",
    value: "b",
  }));
  const page = await browser.get(composeAddress([], { filter: JSON.stringify([either, { or: both }]) }));
  assert.equal(readTotal(page), 1);
  assert.deepEqual(readRows(page), [["contact.last_name", "sw", "b"]]);
  assert.match(
    page.text,
    /Also: <bdi>\(Contact of a company Last name is byron or \(Contact Status is Customer\)\)/,
  );
  const [, builder] = page.text.split('aria-label="Filter"');
  const kept = /name="filter" value="([^"]+)"/.exec(builder!)![1]!.replaceAll("&quot;", '"');
  assert.deepEqual(JSON.parse(kept), [either]);
});

Deno.test("a filter is saved as a view, which shows it again", async () => {
  await using app = await startApp();
  const { admin, browser, company } = await world(app);
  const address = composeAddress([["contact.last_name", "sw", "by"]]);
  const page = await browser.get(address);
  const save = (page: Shown, fields: Record<string, string>) => {
    const form = page.text.split("<form").find((part) => part.includes('aria-label="Save view"'))!;
    const action = /action="([^"]+)"/.exec(form)![1]!.replaceAll("&amp;", "&");
    const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map((
      [, name, value],
    ) => [
      name,
      value,
    ]);
    return browser.post(action, { ...Object.fromEntries(hidden), ...fields });
  };
  const nameless = await save(page, { name: "" });
  assert.equal(nameless.status, 422, nameless.text);
  assert.match(nameless.text, /<a href="#customers-name">Name of the view: /);
  assert.deepEqual(readRows(nameless), [["contact.last_name", "sw", "by"]], "the filter stays");
  const saved = await save(nameless, { name: "By <b>" });
  assert.equal(saved.status, 303, saved.text);
  const twice = await save(nameless, { name: "By <b>" });
  assert.equal(twice.headers.get("location"), saved.headers.get("location"), "sent twice it is one view");
  const view = await browser.follow(saved);
  assert.match(view.text, /View saved\./);
  assert.equal(readTotal(view), 1);
  assert.deepEqual(readRows(view), [["contact.last_name", "sw", "by"]]);
  assert.match(
    view.text,
    /<nav aria-label="Saved views"[^>]*><a href="[^"]+" aria-current="page"><bdi>By &lt;b&gt;/,
  );
  const stored = await app.call(await company.token(admin.id), "GET", "/v1/contacts/filters");
  assert.deepEqual(stored.body.data.map(({ name }: { name: string }) => name), ["By <b>"]);
  const { browser: stranger } = await world(app);
  const foreign = await stranger.get(saved.headers.get("location")!);
  assert.equal(readTotal(foreign), 3, "another company's view is none");
  assert.match(foreign.text, /role="alert"[^>]*>[^<]*filter_id/);
  assert.doesNotMatch(foreign.text, /By &lt;/);
});

Deno.test("a saved view is renamed and deleted by who may write it, and by nobody else", async () => {
  await using app = await startApp();
  const { admin, browser, company } = await world(app);
  const team = await company.team();
  const member = await company.user({ type: "user", teams: [team] });
  const outsider = await company.user({ type: "user", teams: [await company.team()] });
  const token = await company.token(admin.id);
  const view = async (body: object) => {
    const made = await app.call(token, "POST", "/v1/views", {
      entity: "contact",
      filter: [{ field: "contact.last_name", operator: "sw", value: "by" }],
      ...body,
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const path = `/app/customers/views/${made.body.id}`;
    return { list: `/app/customers?kind=contacts&filter_id=${made.body.id}`, path };
  };
  const mine = await view({ name: "By <b>" });
  const shown = await browser.get(mine.list);
  assert.ok(shown.text.includes(`href="${mine.path}/edit">Edit view</a>`), shown.text);
  const edit = await browser.get(`${mine.path}/edit`);
  assert.match(edit.text, /<h1>Edit By &lt;b&gt;<\/h1>/);
  const nameless = await browser.submit(edit, `${mine.path}/edit`, { name: "" });
  assert.equal(nameless.status, 422);
  assert.match(nameless.text, /role="alert"[\s\S]*Name of the view/);
  const renamed = await browser.submit(edit, `${mine.path}/edit`, { name: "Lovelaces" });
  assert.equal(renamed.headers.get("location"), mine.list);
  assert.match((await browser.follow(renamed)).text, /Saved\.[\s\S]*aria-current="page"><bdi>Lovelaces</);
  const stale = await browser.submit(
    { ...edit, text: edit.text.replace(/name="key" value="/, "$&x") },
    `${mine.path}/edit`,
    { name: "Byrons" },
  );
  assert.equal(stale.status, 412);
  assert.match(stale.text, /changed[\s\S]*Lovelaces/);
  const shared = await view({ name: "Team's", team_id: team });
  const everybodys = await view({ name: "All's", scope: "company" });
  const [theirs, other] = [await signedIn(app, member), await signedIn(app, outsider)];
  assert.equal((await theirs.get(`${mine.path}/edit`)).status, 404);
  assert.equal((await other.get(`${shared.path}/edit`)).status, 404);
  assert.equal((await theirs.get(`${everybodys.path}/delete`)).status, 403);
  assert.doesNotMatch((await theirs.get(everybodys.list)).text, /Edit view/);
  assert.match((await theirs.get(shared.list)).text, /Delete view/);
  const question = await theirs.get(`${shared.path}/delete`);
  assert.match(question.text, /<h1>Delete Team&#39;s\?<\/h1>/);
  const gone = await theirs.submit(question, `${shared.path}/delete`, {});
  assert.equal(gone.headers.get("location"), "/app/customers?kind=contacts");
  assert.match((await theirs.follow(gone)).text, /Deleted\./);
  const left = await app.call(token, "GET", "/v1/views");
  assert.deepEqual(left.body.data.map(({ name }: { name: string }) => name).toSorted(), [
    "All's",
    "Lovelaces",
  ]);
  const [removed, own] = [await company.team(), await company.team()];
  const maker = await company.user({ type: "user", teams: [removed, own] });
  const kept = await maker.call("POST", "/v1/views", {
    name: "Kept",
    entity: "contact",
    filter: [{ field: "contact.last_name", operator: "sw", value: "by" }],
    team_id: removed,
  });
  assert.equal(kept.status, 201, kept.text);
  assert.equal((await app.call(token, "DELETE", `/v1/teams/${removed}`)).status, 204);
  const makers = await signedIn(app, maker);
  const keptPath = `/app/customers/views/${kept.body.id}`;
  assert.match((await makers.get(`/app/customers?filter_id=${kept.body.id}`)).text, /Edit view/);
  const keptEdit = await makers.get(`${keptPath}/edit`);
  const saved = await makers.submit(keptEdit, `${keptPath}/edit`, { name: "Mine now" });
  assert.equal(saved.status, 303, saved.text);
  const leads = await app.call(token, "POST", "/v1/views", { name: "To call", entity: "lead", query: {} });
  assert.equal((await browser.get(`/app/customers/views/${leads.body.id}/edit`)).status, 404);
});

Deno.test("the builder is in German for Germans", async () => {
  await using app = await startApp();
  const { admin, browser } = await world(app);
  await app.deps.db.write([{ sql: "update users set locale = 'de_DE' where id = ?", args: [admin.id] }]);
  const page = await browser.get(composeAddress([["contact.created_at", "gt", "gestern"]]));
  for (
    const text of [
      "Feld",
      "Bedingung",
      "Wert",
      "Bedingung hinzufügen",
      "Anwenden",
      "Zurücksetzen",
      "Nachname",
    ]
  ) {
    assert.ok(page.text.includes(`>${text}<`), text);
  }
  assert.match(page.text, /ist nach/);
  const builder = page.text.split("<template")[0]!;
  const words = [...builder.matchAll(/<option[^>]*>([^<]+)<\/option>/g)].map(([, text]) => text!);
  assert.deepEqual(words.filter((text) => /\b(?:at|id|of|name given)\b/.test(text)), []);
});
