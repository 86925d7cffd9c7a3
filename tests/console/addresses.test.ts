/** Addresses of lists: what one names and no list knows stands in an alert, and links of our own name nothing such. */
import assert from "node:assert/strict";
import { insertAll } from "../../src/db/statements.ts";
import { notes } from "../../src/sales/notes/record.ts";
import { listPlaces, startFilled } from "./places.ts";
import { signedInAgain } from "./world.ts";

/** The alert in German, which the people of the made-up company speak. */
const named = /role="alert"[^>]*>Die Adresse nennt, was es hier nicht gibt: ([^<]+)\. Es wurde übergangen\./;

const lists = [
  "/app/leads?view=all",
  "/app/leads?view=assignable",
  "/app/cases?view=board",
  "/app/cases?view=list",
  "/app/customers?kind=contacts",
  "/app/customers?kind=accounts&field=account.name&operator=eq&value=a&add=1",
  "/app/notifications?page=1",
  "/app/search?q=an",
  "/app/imports?page=1",
  "/app/exports?page=1",
  "/app/admin/users?search=",
  "/app/admin/teams?page=1",
  "/app/admin/processes?page=1",
  "/app/admin/lead-types?page=1",
];

Deno.test("a list names parameters of its address that it does not know, few of many, and as text", async () => {
  await using filled = await startFilled();
  const { app, made: admin } = filled;
  const browser = await signedInAgain(app, admin);
  const many = Array.from({ length: 9 }, (_, at) => `&x${at}=1`).join("");
  for (const list of lists) {
    const own = await browser.get(list);
    assert.equal(own.status, 200, list);
    assert.doesNotMatch(own.text, named, list);
    const strange = await browser.get(`${list}&colour=red&empty=&${encodeURIComponent("<b>")}=1`);
    assert.equal(strange.status, 200, list);
    assert.equal(named.exec(strange.text)?.[1], "colour, &lt;b&gt;", list);
    const several = await browser.get(`${list}${many}`);
    assert.equal(named.exec(several.text)?.[1], "x0, x1, x2, x3, x4", list);
  }
});

Deno.test("no link of a page names something that the page behind it does not know", async () => {
  await using filled = await startFilled();
  const { app, made: admin } = filled;
  const browser = await signedInAgain(app, admin);
  const links = new Set<string>();
  for (const place of [...await listPlaces(app), ...lists]) {
    const { text } = await browser.get(place);
    for (const [, href] of text.matchAll(/ href="(\/app[^"#]*\?[^"#]+)/g)) {
      links.add(href!.replaceAll("&amp;", "&"));
    }
  }
  assert.ok(links.size > 20, String(links.size));
  const faults: string[] = [];
  for (const link of links) {
    const { status, text } = await browser.get(link);
    const [, names] = named.exec(text) ?? [];
    if (status !== 200 || names !== undefined) faults.push(`${link}: ${status} ${names}`);
  }
  assert.deepEqual(faults, []);
});

Deno.test("a list that is empty since its address asks for too much says so, and leads to the whole list", async () => {
  await using filled = await startFilled();
  const { app, made: admin } = filled;
  const browser = await signedInAgain(app, admin);
  const asked = [
    ["/app/leads?view=all&search=zzzz", "/app/leads?view=all"],
    ["/app/cases?view=list&search=zzzz", "/app/cases?view=list"],
    ["/app/customers?kind=accounts&search=zzzz", "/app/customers?kind=accounts"],
    [
      "/app/customers?kind=contacts&field=contact.last_name&operator=not_exists&value=",
      "/app/customers?kind=contacts",
    ],
  ] as const;
  for (const [narrowed, whole] of asked) {
    const [, empty] = /data-empty[^>]*>(.*?)<\/p>/.exec((await browser.get(narrowed)).text) ?? [];
    assert.match(empty ?? "", /^Nichts passt/, narrowed);
    assert.equal(/href="([^"]*)"/.exec(empty!)?.[1]?.replaceAll("&amp;", "&"), whole);
  }
  const { text } = await browser.get("/app/leads?view=mine");
  assert.match(text, /data-empty[^>]*>In dieser Ansicht gibt es keine Leads\./);
});

Deno.test("the website that a lead brings is a link, and its account's name is called so", async () => {
  await using filled = await startFilled();
  const { app, made: admin } = filled;
  const browser = await signedInAgain(app, admin);
  const leads = await app.sql("select id from leads order by id");
  const pages = await Promise.all(leads.map(async ({ id }) => (await browser.get(`/app/leads/${id}`)).text));
  const text = pages.find((page) => /<dt><bdi>Website<\/bdi>/.test(page))!;
  assert.match(text, /<dt><bdi>Website<\/bdi><\/dt><dd><a href="https:[^"]+" rel="noopener noreferrer"/);
  assert.match(text, /<dt><bdi>Name der Firma<\/bdi><\/dt>/);
});

Deno.test("the page of a refused form leads to the next pages of its lists", async () => {
  await using filled = await startFilled();
  const { app, made: admin } = filled;
  const path = (await listPlaces(app)).find((place) => /^\/app\/contacts\/[\w-]{36}$/.test(place))!;
  const browser = await signedInAgain(app, admin);
  const contact_id = path.split("/").at(-1)!;
  const [contact] = await app.sql("select company_id from contacts where id = ?", contact_id);
  await app.deps.db.write([
    insertAll(
      notes,
      Array.from({ length: 26 }, (_, at) => ({
        company_id: Number(contact!.company_id),
        user_id: admin.id,
        contact_id,
        note: `<p>${at}</p>`,
        mentions: 0,
        created_at: "2024-01-01 00:00:00",
        updated_at: "2024-01-01 00:00:00",
      })),
    ),
  ]);
  const refused = await browser.submit(await browser.get(path), `${path}/notes`, { note: "" });
  assert.equal(refused.status, 422, refused.text);
  const next = /<a rel="next" href="([^"#]*)#notes"/.exec(refused.text)?.[1];
  assert.equal(next, `${path}?notes_page=2`);
  const { status, text } = await browser.get(next!);
  assert.equal(status, 200);
  assert.match(text, /<a rel="prev"/);
});

Deno.test("the page of a record names a page number that none of its lists has", async () => {
  await using filled = await startFilled();
  const { app, made: admin } = filled;
  const browser = await signedInAgain(app, admin);
  const records = (await listPlaces(app)).filter((place) =>
    /^\/app\/(?:cases|contacts|accounts)\/[\w-]{36}$/.test(place)
  );
  assert.equal(records.length, 3);
  for (const record of records) {
    const { text } = await browser.get(`${record}?page=2&files_page=1`);
    assert.equal(named.exec(text)?.[1], "page", record);
  }
});
