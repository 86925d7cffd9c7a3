/** Imports on the console: a file is checked, mapped, run, mended and reverted by forms alone. */
import assert from "node:assert/strict";
import { proposeFields } from "../../src/console/imports/proposal.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { runJobs } from "../../src/jobs.ts";
import { startApp, type TestApp } from "../support/app.ts";
import type { Browser } from "../support/browser.ts";
import { makeSales, nameFields } from "../sales/leads_world.ts";
import { newImportPath, uploadImport } from "./uploads.ts";
import { signedIn } from "./world.ts";

/** Lets the steps that wait run, and shows the import. */
async function settleImport(app: TestApp, browser: Browser, address: string) {
  for (let tries = 0; tries < 50; tries++) {
    await app.idle();
    const page = await browser.get(address);
    if (!/data-live="true"/.test(page.text)) return page;
    app.clock.move(1_000);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  }
  throw new Error("The import does not end.");
}

const readCount = (text: string, name: string) => new RegExp(`data-count="${name}">([^<]*)<`).exec(text)![1]!;

Deno.test("a German file is checked with its columns proposed, runs, and is reverted", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  const browser = await signedIn(app, await company.user({ type: "admin", teams: [team] }));
  assert.match((await browser.get("/app/customers")).text, /href="\/app\/imports"/);
  assert.match((await browser.get("/app/imports")).text, /data-list="imports" data-total="0"/);
  const file = "Vorname;Nachname;E-Mail-Adresse;Firma;PLZ;Bemerkung\r\n" +
    "Ada;Lovelace;ada@example.org;Engines <b>;10115;gut\r\nCharles;Babbage;keine Adresse;Engines <b>;;\r\n";
  const sent = await uploadImport(app, browser, file);
  assert.equal(sent.status, 303, sent.text);
  const checked = await settleImport(app, browser, sent.to!);
  assert.match(checked.text, /data-status="checked"/);
  assert.deepEqual(["rows", "created", "failed"].map((name) => readCount(checked.text, name)), [
    "2",
    "1",
    "1",
  ]);
  const preview = /aria-labelledby="preview".*?<\/section>/s.exec(checked.text)![0];
  assert.match(preview, /Ada.*Lovelace/s);
  assert.match(preview, /Engines &lt;b&gt;/);
  assert.match(checked.text, /data-list="faults" data-total="1"/);
  const [{ n }] = await app.sql("select count(*) as n from contacts") as [{ n: number }];
  assert.equal(n, 0, "a check writes nothing");
  const chosen = (index: number) =>
    / value="([^"]*)" selected/.exec(
      new RegExp(`name="field.${index}".*?</select>`, "s").exec(checked.text)![0],
    )![1];
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(chosen), [
    "first_name",
    "last_name",
    "email",
    "account.name",
    "account.zip_code",
    "",
  ]);

  const columns = Object.fromEntries(
    [...checked.text.matchAll(/name="(column.\d)" value="([^"]*)"/g)].map((
      [, name, value],
    ) => [name!, value!]),
  );
  const mapping = {
    "field.0": "first_name",
    "field.1": "last_name",
    "field.3": "account.name",
    "field.5": "title",
  };
  const again = await browser.submit(checked, `${sent.to}/mapping`, { ...columns, ...mapping });
  assert.equal(again.status, 303, again.text);
  const address = again.headers.get("location")!;
  assert.notEqual(address, sent.to);
  assert.match((await browser.get(sent.to!)).text, /data-status="cancelled"/);
  const second = await settleImport(app, browser, address);
  assert.deepEqual(["created", "failed"].map((name) => readCount(second.text, name)), ["2", "0"]);

  const started = await browser.submit(second, `${address}/start`, {});
  assert.equal(started.headers.get("location"), address, started.text);
  assert.match((await browser.follow(started)).text, /The import has started\./);
  const done = await settleImport(app, browser, address);
  assert.match(done.text, /data-status="done"/);
  const found = await browser.get("/app/customers?kind=contacts&search=lovelace");
  assert.match(found.text, /data-list="contacts" data-total="1"/);
  assert.deepEqual(await app.sql("select id from files"), [], "the import has a copy of its own");

  const ask = await browser.get(`${address}/revert`);
  assert.match(ask.text, /<h1>Revert kunden\.csv\?<\/h1>/);
  const reverted = await browser.submit(ask, `${address}/revert`, {});
  assert.equal(reverted.headers.get("location"), address, reverted.text);
  const after = await settleImport(app, browser, address);
  assert.match(after.text, /data-status="reverted"/);
  assert.match(
    (await browser.get("/app/customers?kind=contacts")).text,
    /data-list="contacts" data-total="0"/,
  );
  const late = await browser.submit(ask, `${address}/revert`, { key: "another" });
  assert.deepEqual([late.status, /role="alert"/.test(late.text)], [409, true]);
});

Deno.test("rows to mend are downloaded, what changed since stays after a revert, and others see no import", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  const clerk = await company.user({ teams: [team], rights: ["imports.manage", "customers.create"] });
  const colleague = await company.user({ teams: [team] });
  const browser = await signedIn(app, clerk);
  const sent = await uploadImport(app, browser, "Last name,E-mail\nByron,ada@example.org\nX,nothing\n");
  const checked = await settleImport(app, browser, sent.to!);
  const csv = await browser.get(`${sent.to}/errors.csv`);
  assert.equal(csv.headers.get("content-type"), "text/csv; charset=utf-8");
  assert.match(csv.headers.get("content-disposition")!, /^attachment/);
  assert.match(csv.text, /"X","nothing"/);
  assert.doesNotMatch(csv.text, /Byron/);
  await browser.submit(checked, `${sent.to}/start`, {});
  await settleImport(app, browser, sent.to!);
  const [contact] = await app.sql("select id, account_id from contacts");
  const put = await company.admin.call("PUT", `/v1/accounts/${contact!.account_id}/contacts/${contact!.id}`, {
    fixed_fields: nameFields({ title: "Countess" }),
  });
  assert.equal(put.status, 200, put.text);
  await browser.submit(await browser.get(`${sent.to}/revert`), `${sent.to}/revert`, {});
  const after = await settleImport(app, browser, sent.to!);
  assert.match(after.text, /data-list="kept" data-total="\d"/);
  assert.match(after.text, /Somebody has changed it since\./);
  assert.ok(after.text.includes(`/app/contacts/${contact!.id}`));

  const other = await signedIn(app, colleague);
  assert.doesNotMatch((await other.get("/app/customers")).text, /\/app\/imports/);
  for (const path of ["/app/imports", newImportPath, sent.to!, `${sent.to}/errors.csv`]) {
    assert.equal((await other.get(path)).status, 403, path);
  }
});

Deno.test("a running import shows how far it is and how long it still takes, and can be stopped", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const browser = await signedIn(app, admin);
  const sent = await uploadImport(app, browser, "last_name\nByron\nBabbage\nSomerville\nDe Morgan\n");
  await settleImport(app, browser, sent.to!);
  const started = formatTimestamp(app.clock.now() - 10 * 60_000);
  await app.deps.db.write([{
    sql: "update imports set status = 'running', place = 1, started_at = ?",
    args: [started],
  }]);
  for (let look = 0; look < 2; look++) {
    const { text } = await browser.get(sent.to!);
    assert.match(text, /data-live="true"/);
    assert.match(text, /<progress id="progress" value="25" max="100"/);
    assert.match(text, /25 % · about 30 minutes left/, "a reload shows it again");
    assert.doesNotMatch(text, /Start the import|Revert the import/);
  }
  const stopped = await browser.submit(await browser.get(sent.to!), `${sent.to}/cancel`, {});
  const after = await browser.follow(stopped);
  assert.match(after.text, /The import is stopped\.[^]*data-status="cancelled"/);
});

Deno.test("a file that cannot be read is refused at its field, and leaves nothing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const browser = await signedIn(app, admin);
  const workbook = await uploadImport(app, browser, "PK\x03\x04 sheet", {}, "kunden.xlsx");
  assert.equal(workbook.status, 422);
  assert.match(workbook.text, /role="alert"[^]*?href="#imports-new-file"/);
  const none = await browser.submit(await browser.get(newImportPath), newImportPath, { entity: "contacts" });
  assert.equal(none.status, 422);
  assert.match(none.text, /Please fill in this field/);
  assert.deepEqual(await app.sql("select id from files union all select id from imports"), []);
});

Deno.test("columns are proposed by what people call fields in English and in German", () => {
  const fields = [
    ["external_id", "External id"],
    ["salutation", "Salutation"],
    ["first_name", "First name"],
    ["last_name", "Last name"],
    ["email", "E-mail"],
    ["phone_number", "Phone number"],
    ["fuel", "Kraftstoff"],
    ["full_name", "Full name"],
    ["consent.email", "Consent: email"],
    ["account.name", "Account: Name"],
    ["account.city", "Account: City"],
    ["account.country", "Account: Country"],
  ].map(([name, label]) => ({ name: name!, label: label! }));
  assert.deepEqual(
    proposeFields(
      [
        "Kunden-Nr.",
        "Anrede",
        "VORNAME",
        "surname",
        "Mail",
        "Handy",
        "Firma: Ort",
        "Land",
        "Sonstiges",
      ],
      fields,
      "contacts",
    ),
    {
      "Kunden-Nr.": "external_id",
      Anrede: "salutation",
      VORNAME: "first_name",
      surname: "last_name",
      Mail: "email",
      Handy: "phone_number",
      "Firma: Ort": "account.city",
      Land: "account.country",
    },
  );
  assert.deepEqual(proposeFields(["Company", "Ansprechpartner", "Einwilligung E-Mail"], fields, "contacts"), {
    Company: "account.name",
    Ansprechpartner: "full_name",
    "Einwilligung E-Mail": "consent.email",
  });
});

Deno.test("leads and products are imported too, by those who may make them", async () => {
  await using app = await startApp();
  const { admin, company, dealer: team } = await makeSales(app);
  const browser = await signedIn(app, await company.user({ type: "admin", teams: [team] }));
  const kinds = async (of: Browser) => {
    const { text } = await of.get(newImportPath);
    const select = /<select[^>]*name="entity".*?<\/select>/s.exec(text)![0];
    return [...select.matchAll(/value="([a-z]+)"/g)].map(([, value]) => value);
  };
  assert.deepEqual(await kinds(browser), ["contacts", "accounts", "leads", "products"]);
  const seller = await company.user({ teams: [team], rights: ["imports.manage", "leads.create"] });
  assert.deepEqual(await kinds(await signedIn(app, seller)), ["contacts", "accounts", "leads"]);

  const leads = "Anfrageart;Quelle;Name;E-Mail;Firma;Nachricht;Herkunft\r\n" +
    "Test drive;Messe;Ada Lovelace;ada@example.org;Engines;Bitte anrufen;Bonn\r\n" +
    "Unknown;Messe;Charles Babbage;;Engines;;\r\n";
  const without = await uploadImport(app, browser, leads, { entity: "leads" });
  assert.equal(without.status, 422);
  assert.match(without.text, /role="alert"[^]*?href="#imports-new-agency_team_id"/);
  const sent = await uploadImport(app, browser, leads, { entity: "leads", team_id: String(team) });
  assert.equal(sent.status, 303, sent.text);
  const checked = await settleImport(app, browser, sent.to!);
  assert.deepEqual(["rows", "created", "failed"].map((name) => readCount(checked.text, name)), [
    "2",
    "1",
    "1",
  ]);
  assert.match(checked.text, /aria-labelledby="preview"[^]*?Lovelace/);
  await browser.submit(checked, `${sent.to}/start`, {});
  assert.match((await settleImport(app, browser, sent.to!)).text, /data-status="done"/);
  const { data: [lead] } = (await admin.call("GET", "/v1/leads")).body;
  assert.deepEqual(
    [lead.lead_source, lead.interest, lead.account.name ?? lead.account.fixed_fields[0].value],
    ["Messe", "Bitte anrufen", "Engines"],
  );

  const products = "Artikel;Preis;Warengruppe\r\nWallbox;1.234,50;Laden|Strom\r\n";
  const second = await uploadImport(app, browser, products, { entity: "products" }, "artikel.csv");
  assert.equal(second.status, 303, second.text);
  const ready = await settleImport(app, browser, second.to!);
  assert.deepEqual(["created", "failed"].map((name) => readCount(ready.text, name)), ["1", "0"]);
  assert.match(ready.text, /aria-labelledby="preview"[^]*?Wallbox/);
  await browser.submit(ready, `${second.to}/start`, {});
  assert.match((await settleImport(app, browser, second.to!)).text, /data-status="done"/);
  const { data: [product] } = (await admin.call("GET", "/v1/products")).body;
  assert.deepEqual(product.categories.map(({ name }: { name: string }) => name).toSorted(), [
    "Laden",
    "Strom",
  ]);
  for (const [entity, address] of [["leads", sent.to!], ["products", second.to!]]) {
    await browser.submit(await browser.get(`${address}/revert`), `${address}/revert`, {});
    assert.match((await settleImport(app, browser, address!)).text, /data-status="reverted"/, entity);
  }
});

Deno.test("a file without rows cannot be started: its page says what is missing", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  const admin = await company.user({ type: "admin", teams: [team] });
  const browser = await signedIn(app, admin);
  const missing = {
    "en-GB": /role="alert">The file has no rows [^<]* <a href="\/app\/imports\/new">New import</,
    "de-DE":
      /role="alert">Unter den Namen [^<]* keine Zeilen[^<]* <a href="\/app\/imports\/new">Neuer Import</,
  };
  for (const [locale, text] of Object.entries(missing)) {
    await app.deps.db.write([{ sql: "update users set locale = ? where id = ?", args: [locale, admin.id] }]);
    const bare = await settleImport(
      app,
      browser,
      (await uploadImport(app, browser, "last_name,email\n")).to!,
    );
    assert.match(bare.text, /data-status="checked"/);
    assert.doesNotMatch(bare.text, /\/start"/);
    assert.match(bare.text, text);
  }
  const one = await uploadImport(app, browser, "last_name,email\nByron,byron@example.org\n");
  const full = await settleImport(app, browser, one.to!);
  assert.match(full.text, /action="[^"]*\/start"/);
  assert.doesNotMatch(full.text, missing["de-DE"]);
});

Deno.test("the two lists of an import have pages of their own, which lead to each entry once", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  const browser = await signedIn(app, await company.user({ type: "admin", teams: [team] }));
  const rows = Array.from({ length: 30 }, (_, at) => `Name ${at},ada${at}@example.org\nName ${at},nothing\n`);
  const sent = await uploadImport(app, browser, `last_name,email\n${rows.join("")}`);
  const address = sent.to!;
  await browser.submit(await settleImport(app, browser, address), `${address}/start`, {});
  await settleImport(app, browser, address);
  // What somebody changes meanwhile stays.
  for (const { id, account_id } of await app.sql("select id, account_id from contacts")) {
    const put = await company.admin.call("PUT", `/v1/accounts/${account_id}/contacts/${id}`, {
      fixed_fields: nameFields({ title: "Countess" }),
    });
    assert.equal(put.status, 200, put.text);
  }
  await browser.submit(await browser.get(`${address}/revert`), `${address}/revert`, {});
  await settleImport(app, browser, address);
  const read = (text: string, list: string) => {
    const [, total, entries, rest] = new RegExp(
      `data-list="${list}" data-total="(\\d+)">(.*?)</ul>(.*?)</section>`,
      "s",
    ).exec(text)!;
    const next = /<a rel="next" href="([^"#]*)/.exec(rest!)?.[1]?.replaceAll("&amp;", "&");
    return { total: Number(total), entries: entries!.match(/<li[^]*?<\/li>/g)!, next };
  };
  // A row that stays keeps its contact and the account of that.
  for (const [list, other, all] of [["faults", "kept", 30], ["kept", "faults", 60]] as const) {
    const first = (await browser.get(address)).text;
    const { total, entries, next } = read(first, list);
    assert.deepEqual([total, entries.length, next], [all, 25, `${address}?${list}_page=2`]);
    const second = (await browser.get(next!)).text;
    assert.equal(new Set([...entries, ...read(second, list).entries]).size, Math.min(50, all), list);
    assert.deepEqual(read(second, other).entries, read(first, other).entries, `${other} stays`);
  }
});
