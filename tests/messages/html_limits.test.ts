/** HTML beyond the limits of cleaning: refused where it is written, cut where it arrives, never shown as source. */
import assert from "node:assert/strict";
import { ExcessiveHtml, findExcess, limitHtml } from "../../src/core/html_limits.ts";
import { cleanEmail, cleanText } from "../../src/core/sanitizer.ts";
import { composeWith } from "../../src/messages/placeholders/compose.ts";
import { TooLong } from "../../src/messages/placeholders/render.ts";
import { makeId } from "../../src/core/ids.ts";
import { startApp } from "../support/app.ts";
import { processorTime } from "../support/processor_time.ts";

const paragraphs = "<p>x</p>".repeat(16_000);
/** For texts of 65,535 characters. */
const tags = "<b".repeat(30_500);
const declarations = `<p style="${"color:red;".repeat(20_001)}">x</p>`;
const styles = `<style>${"p{color:red}".repeat(6_000)}</style>`;

Deno.test("every text of HTML beyond the limits is 422 max at its place, and nothing is stored", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const [id, other] = [makeId(app.clock.now()), makeId(app.clock.now())];
  const follow = (content: string) => ({
    name: "Later",
    communications: [{
      name: "One",
      delay: { days: 1, offset_from_midnight: 0 },
      subject: "Hello",
      content,
    }],
  });
  const message = (content: string) => ({
    type: "email",
    name: "Spring",
    approved: false,
    message: { subject: "Hello", content, sender: "Ada" },
  });
  const activity = (more: object) => ({ activity_type_ids: [id], ...more });
  const call = { type: "call", start_at: "2026-05-01 09:00:00", end_at: "2026-05-01 10:00:00" };
  const line = (value: unknown, type?: string) => ({ lead_data: [{ key: "Wish", value, type }] });
  const long: [string, string, object, string][] = [paragraphs, declarations, styles].flatMap((content) =>
    [
      ["POST", "/v1/templates", { type: "email", title: "Frame", content }, "content"],
      ["PUT", "/v1/templates/1", { content }, "content"],
      ["POST", "/v1/templates/preview/email", { content }, "content"],
      ["POST", "/v1/templates/preview/letter", { content }, "content"],
      ["POST", "/v1/campaigns", message(content), "message.content"],
      ["PUT", `/v1/campaigns/${id}`, { message: { content } }, "message.content"],
      ["POST", "/v1/campaigns/test-email", message(content), "message.content"],
      ["POST", "/v1/automated-communications", follow(content), "communications[0].content"],
      ["PUT", `/v1/automated-communications/${id}`, follow(content), "communications[0].content"],
    ] as [string, string, object, string][]
  );
  const short: [string, string, object, string][] = [
    [
      "PUT",
      `/v1/companies/${admin.companyId}/users/${admin.id}`,
      { signature: { email: tags } },
      "signature.email",
    ],
    ["POST", "/v1/notes", { note: tags, case_id: id }, "note"],
    ["PUT", "/v1/notes/1", { note: tags }, "note"],
    ["PUT", `/v1/tasks/${id}`, { note: tags }, "note"],
    ["POST", `/v1/cases/${id}/timeline`, { title: "Visit", content: tags }, "content"],
    ["POST", `/v1/cases/${id}/activities`, activity({ note: tags }), "note"],
    ["POST", `/v1/cases/${id}/activities`, activity({ task: { ...call, note: tags } }), "task.note"],
    ...["email", "letter"].map((kind): [string, string, object, string] => [
      "POST",
      `/v1/cases/${id}/activities`,
      activity({ correspondence: { [kind]: { content: tags } } }),
      `correspondence.${kind}.content`,
    ]),
    ["PUT", `/v1/leads/${other}`, line(tags), "lead_data[0].value"],
    ["PUT", `/v1/leads/${other}`, line([tags], "list"), "lead_data[0].value[0]"],
    ["PUT", `/v1/leads/${other}`, line([["x", tags]], "table"), "lead_data[0].value[0][1]"],
  ];
  for (const [method, path, body, at] of [...long, ...short]) {
    const { status, text, body: { errors } } = await admin.call(method, path, body);
    const found = (errors ?? []).map(({ path, code }: Record<string, string>) => `${path} ${code}`);
    assert.deepEqual([status, ...found], [422, `${at} max`], `${method} ${path}: ${text.slice(0, 500)}`);
  }
  assert.equal((await admin.call("GET", "/v1/templates")).body.pagination.total, 0);
});

Deno.test("HTML at the limits is cleaned, in bounded time", async () => {
  const atLimits = [
    "<p>x</p>".repeat(15_000),
    "<b>".repeat(15_000) + "</i>".repeat(15_000),
    `<p style="${"color:red;".repeat(19_900)}">x</p>`,
    `<style>${"a:url();".repeat(8_000)}</style>`,
    `<style>${"/**/".repeat(16_000)}</style>`,
    `<style>${"p{color:red}".repeat(5_400)}</style>`,
    `<style>${"@media print{".repeat(4_900)}</style>`,
  ];
  for (const html of atLimits) {
    assert.equal(findExcess(html), null);
    const took = await processorTime(() => void cleanEmail(html));
    assert.ok(took < 1_000, `${html.slice(0, 20)} took ${took} ms`);
  }
  assert.equal(cleanEmail(atLimits[0]!), atLimits[0]);
});

Deno.test("what cannot be cleaned is an error, and its beginning can be cleaned", () => {
  for (const html of [paragraphs, declarations, "<".repeat(100_000), `x${"<i style=a".repeat(25_000)}`]) {
    assert.throws(() => cleanText(html), ExcessiveHtml);
    const beginning = limitHtml(html);
    assert.ok(beginning.length < html.length);
    assert.doesNotThrow(() => cleanText(beginning));
  }
  // Rich text has no style sheets.
  assert.equal(cleanText(styles), "");
  assert.throws(() => cleanEmail(styles), ExcessiveHtml);
});

Deno.test("a text that its values make too much to clean is too long", async () => {
  const rows = Array.from({ length: 500 }, () => new Map([["name", "x"]]));
  const content = `{{#product_details}}${"<p>x</p>".repeat(40)}{{/product_details}}`;
  const values = () => (name: string) => name === "product_details" ? rows : undefined;
  await assert.rejects(() => composeWith({ subject: null, content, frame: null }, values), TooLong);
});
