/** Today on the console: what a new company lacks. */
import assert from "node:assert/strict";
import { notificationTypes, notified } from "../../src/core/notifications.ts";
import { languages } from "../../src/console/texts/languages.ts";
import { makeSales } from "../sales/leads_world.ts";
import { startApp } from "../support/app.ts";
import { startFilled } from "./places.ts";
import { signedIn } from "./world.ts";

Deno.test("an admin sees what the company lacks until it is there, and nobody else does", async () => {
  await using app = await startApp();
  const company = await app.company();
  const browser = await signedIn(app, company.admin);
  const token = await company.token(company.admin.id);
  const links = async () => {
    const { text } = await browser.get("/app");
    const [section] = /<h2 id="start">Getting started<\/h2>.*?<\/section>/s.exec(text) ?? [""];
    return [...section.matchAll(/href="\/app\/admin\/([^"]+)"/g)].map(([, path]) => path);
  };
  assert.deepEqual(await links(), ["processes/new", "lead-types/new", "users/invite"]);
  const process = await app.call(token, "POST", "/v1/relations-paths", {
    name: "Sales",
    activity_types: { milestones: [{ name: "Offer" }] },
  });
  assert.equal(process.status, 201, process.text);
  assert.deepEqual(await links(), ["lead-types/new", "users/invite"]);
  const user = await company.user();
  assert.deepEqual(await links(), ["lead-types/new"]);
  await app.call(token, "POST", "/v1/lead-types", {
    name: "Website",
    relations_path_ids: [process.body.id],
  });
  assert.deepEqual(await links(), []);
  const other = await app.company();
  const member = await signedIn(app, await other.user());
  assert.doesNotMatch((await member.get("/app")).text, /Getting started/);
  assert.ok(user.id);
  const tabs = (await browser.get("/app/leads?view=mine")).text;
  for (const name of ["My team&#39;s", "Mine", "All"]) {
    assert.match(tabs, new RegExp(`${name} <span class="number">0</span>`), name);
  }
});

Deno.test("the first view of Today is small: 60 KiB in 10 requests, 32 KiB of it scripts", async () => {
  await using filled = await startFilled();
  const { app, made: admin } = filled;
  const browser = await signedIn(app, admin);
  const measureZipped = async (text: string) => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
    return (await new Response(stream).arrayBuffer()).byteLength;
  };
  const { text, headers } = await browser.get("/app");
  const assets = new Set(
    [...text.matchAll(/(?:href|src)="(\/app\/assets\/[^"#]+)/g)].map(([, path]) => path!),
  );
  const sizes = new Map<string, number>([["/app", await measureZipped(text)]]);
  for (const path of assets) sizes.set(path, await measureZipped((await browser.get(path)).text));
  const sum = (paths: string[]) => paths.reduce((total, path) => total + sizes.get(path)!, 0);
  assert.ok(sizes.size <= 10, `${sizes.size} requests`);
  assert.ok(sizes.get("/app")! <= 30 * 1024, `${sizes.get("/app")} bytes of the page`);
  assert.ok(sum([...sizes.keys()].filter((path) => path.endsWith(".js"))) <= 32 * 1024);
  assert.ok(sum([...sizes.keys()]) <= 60 * 1024, `${sum([...sizes.keys()])} bytes`);
  assert.ok(headers.get("vary")?.toLowerCase().includes("accept-encoding"), "pages are compressed");
});

Deno.test("notifications are German on a German page; a text that somebody wrote stays as it is", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { member } = sales;
  await app.deps.db.write([{ sql: "update users set locale = 'de_DE' where id = ?", args: [member.id] }]);
  await sales.lead();
  const own = await sales.admin.call("POST", "/v1/notifications", {
    notify: { users: [member.id] },
    message: "A lead of the type <X> waits.",
  });
  assert.ok(own.status < 300, own.text);
  const browser = await signedIn(app, member);
  for (const path of ["/app", "/app/notifications"]) {
    const { text } = await browser.get(path);
    assert.match(text, /<bdi>Ein Lead der Art Test drive wartet darauf, angenommen zu werden\.<\/bdi>/, path);
    assert.match(text, /<bdi>A lead of the type &lt;X&gt; waits\.<\/bdi>/, path);
  }
});

Deno.test("a notification of a lead that waits names its customer, as long as the person may accept it", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const lead = await sales.lead();
  const browser = await signedIn(app, sales.member);
  const readNames = async (path: string) => {
    const { text } = await browser.get(path);
    const row = /<li data-entity="notification"[^]*?<\/li>/.exec(text)![0];
    return [
      /<li data-entity="lead"[^]*?<bdi>([^<]+)</.exec(text)?.[1],
      /<bdi class="sub">([^<]+)</.exec(row)?.[1],
    ];
  };
  const [name, named] = await readNames("/app");
  assert.ok(name);
  assert.equal(named, name);
  assert.equal((await readNames("/app/notifications"))[1], name);
  const rejected = await sales.admin.call("PUT", `/v1/leads/${lead.id}/reject`, {
    rejection_reason: "Closed",
  });
  assert.ok(rejected.status < 300, rejected.text);
  for (const path of ["/app", "/app/notifications"]) {
    assert.deepEqual(await readNames(path), [undefined, undefined], path);
  }
});

Deno.test("each type of notification has a sentence in German, with its records and without them", () => {
  const records = {
    user: { id: 1, first_name: "Ada", last_name: "Byron", profile_picture: null },
    case: { id: "1", case_number: 12, relations_path_name: "Neuwagen" },
    lead_type: { id: "1", name: "Probefahrt" },
    contact: { id: "1", first_name: "Ada", last_name: "Byron", account_id: "1" },
    email: { id: "1", correspondence_id: "1", subject: "Angebot" },
    webhook: { id: 7, target_url: "https://hooks.example/secret" },
    campaign: { id: "1", name: "Sommer", type: "email" },
    scheduled_report: { id: "1", name: "Woche" },
  };
  const shown = {
    user: "Ada Byron",
    case: "Fall 12 (Neuwagen)",
    lead_type: "der Art Probefahrt",
    contact: "Ada Byron",
    email: ": Angebot",
    webhook: "7 an hooks.example",
    campaign: "Kampagne Sommer",
    scheduled_report: "Bericht Woche",
  };
  const { notice } = languages.de;
  for (const type of notificationTypes) {
    const full = notice(type, records);
    for (const [name, text] of Object.entries(shown)) {
      const isNamed = (notified[type] as readonly string[]).includes(name);
      if (isNamed) assert.ok(full.includes(text), `${type}: ${full}`);
    }
    for (const sentence of [full, notice(type, {})]) {
      assert.match(sentence, /^[A-Z].*\.$/);
      assert.doesNotMatch(sentence, /undefined|secret|\b(?:null|the|has|you)\b/);
    }
  }
});
