/** Letters and charts in workerd have a glyph for each character, from the static assets of the worker. */
import assert from "node:assert/strict";
import { makeAccountBody } from "../insight/scheduled_scene.ts";
import { type Actor, type Body, send, type TestApp } from "../support/app.ts";
import { readPdf } from "../support/pdf.ts";
import type { InWorkerd } from "./in_workerd.ts";

/** A word of each script as readers of the PDF copy it. */
const words = ["张伟", "مرحبا", "שלום", "नमस्ते", "สวัสดี", "🚗"];
/** Copied text of charts has the letters of a word without their marks. */
const keepLetters = (text: string) => text.replaceAll(/\p{M}/gu, "");

/** A company whose users have names in these scripts, and an account each. */
export async function makeNamed(app: TestApp): Promise<Actor> {
  const company = await app.company();
  for (const word of words) {
    const user = await company.user({ type: "admin" });
    const args = [word, user.id];
    await app.deps.db.write([{ sql: "update users set last_name = ?, first_name = '' where id = ?", args }]);
    assert.equal((await user.call("POST", "/v1/accounts", makeAccountBody("One"))).status, 201);
  }
  return company.admin;
}

export async function checkScripts({ worker }: InWorkerd, admin: Actor): Promise<void> {
  const call = (method: string, path: string, body?: unknown) =>
    send(worker.url + path, method, admin.token, body);
  const content = `<p>Dear ${words.join(", ")}</p><p><b>${words.join(" ")}</b></p><p>\u{13000}</p>`;
  const letter = await call("POST", "/v1/templates/preview/letter", { content });
  assert.equal(letter.status, 200, letter.text);
  assert.deepEqual(letter.body.unshown_characters, ["\u{13000}"]);
  const read = await readPdf(await (await fetch(letter.body.download_url)).bytes());
  for (const word of ["Dear", ...words]) assert.equal(read.text.split(word).length > 1, true, word);
  assert.equal(read.boxes, 0, read.text);
  const named = await call("PUT", "/v1/campaigns/settings", { domain_slug: "scripts" });
  assert.equal(named.status, 200, named.text);
  const campaign = await call("POST", "/v1/campaigns", {
    type: "letter",
    name: "L",
    approved: false,
    message: { subject: "Hello", sender: "Ada", content },
  });
  assert.deepEqual(campaign.body.unshown_characters, ["\u{13000}"], campaign.text);

  const set = await call("POST", "/v1/reports/indicator-sets", {
    name: "Sales",
    indicators: ["accounts.b2b.total"],
  });
  const scheduled = await call("POST", "/v1/reports/scheduled", {
    name: "Weekly",
    indicator_set_id: set.body.id,
    delivery_frequency: "week",
    recipient_user_ids: [admin.id],
  });
  assert.equal(scheduled.status, 200, scheduled.text);
  assert.equal((await call("POST", `/v1/reports/scheduled/${scheduled.body.id}/send`)).status, 202);
  await worker.runScheduled(Date.now());
  const { body: { data: notices } } = await call("GET", "/v1/notifications");
  const notice = notices.find(({ type }: Body) => type === "scheduled_report");
  const { body: report } = await call("GET", `/v1/reports/deliveries/${notice.data.report.id}`);
  assert.equal(report.error, null);
  const { headers } = await call("GET", `/v1/files/${report.file_id}/download`);
  const charts = await readPdf(await (await fetch(headers.get("location")!)).bytes());
  assert.equal(charts.boxes, 0, charts.text);
  // The chart has each word, and so has the table of users below it.
  for (const word of words) {
    assert.equal(keepLetters(charts.text).split(keepLetters(word)).length, 3, `${word} in ${charts.text}`);
  }

  // The assets are behind the worker, which serves none of them.
  for (const path of ["/fonts/index.json", "/fonts/Roboto-Regular.ttf", "/fonts/ranges.txt"]) {
    const { status, headers } = await send(worker.url + path, "GET", null);
    assert.deepEqual(
      [status, headers.get("content-type")],
      [404, "application/problem+json; charset=utf-8"],
      path,
    );
  }
}
