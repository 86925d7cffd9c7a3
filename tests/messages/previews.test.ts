import assert from "node:assert/strict";
import fc from "fast-check";
import { makeThreadPrinter } from "../../src/platform/pdf/printer_thread.ts";
import { type Actor, startApp } from "../support/app.ts";
import { sendingCompany } from "./campaign_world.ts";

const preview = async (actor: Actor, body: object, type = "email") => {
  const made = await actor.call("POST", `/v1/templates/preview/${type}`, body);
  assert.equal(made.status, 200, made.text);
  const page = await fetch(made.body.download_url);
  assert.equal(page.status, 200);
  return { page, html: (await page.text()).replace(/^.*<title>Preview<\/title>/, "") };
};

/** Creates a consumer: a contact with an account of its own. */
async function newContact(actor: Actor, values: Record<string, string>) {
  const account = await actor.call("POST", "/v1/accounts", { b2c: true });
  assert.equal(account.status, 201, account.text);
  const made = await actor.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: Object.entries(values).map(([name, value]) => ({ name, value })),
  });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

Deno.test("a preview has the values of the contact, the account, the caller, the task and the products", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await newContact(admin, { first_name: "Ada", last_name: "<Byron>" });
  const { html } = await preview(admin, {
    contact_id: made.id,
    content:
      "{{contact.full_name}}|{{account.name}}|{{user.last_name}}|{{task.start_at_date}} {{task.start_at_time}}|" +
      "{{date}}|{{company.name}}|{{product_details.name}}|" +
      "{{#product_details}}{{name}} {{quantity}} {{product_details.total}};{{/product_details}}",
    products: [{ name: "Van", quantity: 2, price: 1000.5 }, { name: "Mat" }],
    task: { start_at: "2026-07-01 22:30:00", type: "call" },
  });
  assert.equal(
    html,
    "Ada &#60;Byron&#62;|Ada &#60;Byron&#62;|Byron admin|1 July 2026 22:30|2 March 2026|" +
      `${(await admin.call("GET", `/v1/companies/${admin.companyId}`)).body.name}|Van, Mat|` +
      "Van 2 €2,001.00;Mat 1 ;",
  );
});

Deno.test("amounts are decimals of the currency, never binary fractions", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const lines = [[3, 1.115], [3, 0.1], [1, 1.005], [7, 0.7]];
  const { html } = await preview(admin, {
    content: "{{#product_details}}{{product_details.price}} {{product_details.total}};{{/product_details}}",
    products: lines.map(([quantity, price]) => ({ name: "Screw", quantity, price })),
  });
  assert.equal(html, "€1.12 €3.35;€0.10 €0.30;€1.01 €1.01;€0.70 €4.90;");
});

Deno.test("dates and times follow the locale and time zone of the contact's team", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team({ timezone: "Asia/Tokyo" });
  const member = await company.user({ teams: [team] });
  const made = await newContact(member, { last_name: "Byron" });
  const task = { start_at: "2026-07-01 22:30:00" };
  const body = { content: "{{task.start_at_date}} {{task.start_at_time}}", task };
  assert.equal((await preview(member, { ...body, contact_id: made.id })).html, "2 July 2026 07:30");
  assert.equal((await preview(member, body)).html, "1 July 2026 22:30");
});

Deno.test("a template stands around the content; without {{content}} it is the whole text", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const template = async (content: string) =>
    (await admin.call("POST", "/v1/templates", { type: "email", title: "T", content })).body.id;
  const frame = await template("<p>Dear {{contact.first_name}}</p>{{content}}<p>{{content}}</p>");
  const whole = await template("<p>Only this</p>");
  const { html } = await preview(admin, { content: "<b>{{user.first_name}}</b>", template_id: frame });
  assert.equal(html, "<p>Dear </p><b>Ada</b><p><b>Ada</b></p>");
  assert.equal((await preview(admin, { content: "x", template_id: whole })).html, "<p>Only this</p>");
  assert.equal((await preview(admin, { content: "x", template_id: 0 })).html, "x");
});

Deno.test("show_placeholders shows placeholders without a value as they were written", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const content = "{{contact.first_name}} {{ nothing }} {{{x}}} {{user.first_name}}";
  assert.equal(
    (await preview(admin, { content, show_placeholders: true })).html,
    "{{contact.first_name}} {{ nothing }} {{{x}}} Ada",
  );
  assert.equal((await preview(admin, { content })).html, "   Ada");
});

Deno.test("a preview lasts five minutes, needs no token and runs nothing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { page } = await preview(admin, { content: "<p onclick='x()'>x</p><script>x()</script>" });
  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(page.headers.get("content-security-policy")!, /^sandbox; default-src 'none'/);
  app.clock.move(301_000);
  assert.equal((await fetch(page.url)).status, 404);
});

Deno.test("a letter shows every script, and names what no font has; so does a campaign by letter", async () => {
  const printer = makeThreadPrinter();
  await using app = await startApp({}, { printer });
  const { admin } = await sendingCompany(app);
  const unshown = async (content: string, type = "letter") => {
    const { status, text, body } = await admin.call("POST", `/v1/templates/preview/${type}`, { content });
    assert.equal(status, 200, text);
    return body.unshown_characters;
  };
  const shown = "<p>Dear 张伟, مرحبا, שלום, नमस्ते, สวัสดี, 안녕, こんにちは 🚗</p>";
  assert.deepEqual(await unshown(shown), []);
  assert.deepEqual(await unshown(`${shown}<b>\u{13000}\u{13001}\u{13000}</b>`), ["\u{13000}", "\u{13001}"]);
  assert.deepEqual(await unshown("<p>\u{13000}</p>", "email"), []);
  const campaign = async (type: string) => {
    const message = { subject: "Hello", sender: "Ada", content: `${shown}<p>\u{13000}</p>` };
    const made = await admin.call("POST", "/v1/campaigns", { type, name: "L", approved: false, message });
    assert.equal(made.status, 201, made.text);
    assert.equal((await admin.call("GET", `/v1/campaigns/${made.body.id}`)).text, made.text);
    return made.body.unshown_characters;
  };
  assert.deepEqual(await campaign("letter"), ["\u{13000}"]);
  await printer.close();
});

Deno.test("rejects an invalid preview with field and rule", async () => {
  await using app = await startApp();
  const [company, foreign] = [await app.company(), await app.company()];
  const { admin } = company;
  const theirs = await newContact(foreign.admin, { last_name: "Byron" });
  const own = await newContact(admin, { last_name: "Own" });
  const other = await admin.call("POST", "/v1/accounts", {
    fixed_fields: [{ name: "name", value: "Other" }],
  });
  const letter = await admin.call("POST", "/v1/templates", { type: "letter", title: "L", content: "x" });
  const id = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001";
  const faults: [object, string, string][] = [
    [{}, "content", "required"],
    [{ content: "{{" }, "content", "format"],
    [{ content: "x", contact_id: theirs.id }, "contact_id", "exists"],
    [{ content: "x", account_id: theirs.account.id }, "account_id", "exists"],
    [{ content: "x", contact_id: own.id, account_id: other.body.id }, "account_id", "exists"],
    [{ content: "x", template_id: letter.body.id }, "template_id", "exists"],
    [{ content: "x", template_id: 999_999 }, "template_id", "exists"],
    [{ content: "x", product_ids: [id] }, "product_ids[0]", "exists"],
    [{ content: "x", product_ids: [id, id] }, "product_ids", "unique"],
    [
      {
        content: `{{#product_details}}${"x".repeat(490_000)}{{/product_details}}`,
        products: Array.from({ length: 500 }, () => ({ name: "x" })),
      },
      "content",
      "max",
    ],
    [
      {
        content: `{{#product_details}}${"{{a}}".repeat(90_000)}{{/product_details}}`,
        products: Array.from({ length: 500 }, () => ({ name: "x" })),
      },
      "content",
      "max",
    ],
  ];
  for (const [body, path, code] of faults) {
    const { status, text, body: problem } = await admin.call("POST", "/v1/templates/preview/email", body);
    assert.equal(status, 422, text);
    assert.deepEqual([problem.errors[0].path, problem.errors[0].code], [path, code]);
  }
  assert.equal((await admin.call("POST", "/v1/templates/preview/sms", { content: "x" })).status, 404);
});

Deno.test("no value of a record breaks out of its place", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const hostile = fc.oneof(
    fc.constantFrom(
      "<script>x()</script>",
      "</style><img src=x onerror=x()>",
      "{{user.email}}",
      "{{{content}}}",
      '"><a href="javascript:x()">',
      "javascript:x()",
      "' onmouseover='x()",
      "<!--",
      "&lt;script&gt;",
    ),
    fc.string({ minLength: 1, maxLength: 60 }),
  ).filter((value) => value.trim() !== "" && !/[\0\ud800-\udfff]/.test(value));
  const content = '<p title="{{contact.first_name}}">{{contact.first_name}}</p>' +
    '<a href="{{contact.first_name}}">{{{contact.first_name}}}</a>{{&contact.first_name}}';
  await fc.assert(
    fc.asyncProperty(hostile, async (value) => {
      const made = await newContact(admin, { first_name: value, last_name: "x" });
      const { html } = await preview(admin, { content, contact_id: made.id });
      const tags = [...html.matchAll(/<\/?([a-z]+)([^>]*)>/g)];
      assert.deepEqual(tags.map(([, tag]) => tag), ["p", "p", "a", "a"], html);
      assert.ok(!/href="\s*javascript:/i.test(tags[2]![2]!), html);
      assert.match(tags[0]![2]!, /^ title="[^"]*"$/);
      assert.match(tags[2]![2]!, /^( href="[^"]*")?$/);
      assert.ok(!html.includes(String(admin.id) + "@"), html);
    }),
    { numRuns: 40 },
  );
});
