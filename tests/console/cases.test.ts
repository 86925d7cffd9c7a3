/** A case on the console: activities, notes, tasks, and how it ends. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { makeSales } from "../sales/leads_world.ts";
import { signedIn } from "./world.ts";

Deno.test("an accepted lead's case takes activities with a task, notes as typed, and is closed by a milestone", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const lead = await sales.lead();
  const accepted = await sales.member.call("PUT", `/v1/leads/${lead.id}/accept`, {});
  const path = `/app/cases/${accepted.body.case_id}`;
  const browser = await signedIn(app, sales.member);
  const page = await browser.get(path);
  assert.equal(page.status, 200, page.text);
  assert.match(page.text, /<h1>Case 1: [^<]+<\/h1>/);
  const [offer, order] = [...page.text.matchAll(/name="activity_type_ids" value="([^"]+)"/g)].map(([, id]) =>
    id!
  );

  const planned = await browser.submit(page, `${path}/activities`, {
    activity_type_ids: offer!,
    note: "Wants <b>blue</b>\nand soon",
    task_type: "call",
    task_start_at: "2026-03-03T10:00",
    task_end_at: "2026-03-03T10:30",
  });
  assert.equal(planned.status, 303, planned.text);
  const shown = await browser.get(path);
  assert.match(shown.text, /Activity saved\./);
  assert.match(shown.text, /Wants &lt;b&gt;blue&lt;\/b&gt;<br \/>and soon/);
  const [task] = await app.sql("select id, start_at from tasks");
  assert.match(shown.text, new RegExp(`data-entity="task" data-id="${task!.id}"`));

  const added = await browser.submit(shown, `${path}/tasks`, {
    task_type: "meeting",
    task_start_at: "2026-03-04T10:00",
    task_end_at: "2026-03-04T11:00",
    task_note: "Bring <keys>",
  });
  assert.equal(added.status, 303, added.text);
  assert.match((await browser.follow(added)).text, /Task added\./);
  const [meeting] = await app.sql("select note, activity_id from tasks where type = 'meeting'");
  assert.deepEqual({ ...meeting }, { note: "Bring &#60;keys&#62;", activity_id: null });
  const early = await browser.submit(shown, `${path}/tasks`, {
    task_type: "call",
    task_start_at: "2026-03-04T10:00",
    task_end_at: "2026-03-04T09:00",
    task_note: "kept",
    key: "early",
  });
  assert.equal(early.status, 422);
  assert.match(early.text, /<a href="#[^"]+tasks-task_end_at">To: This is too early\./);
  assert.match(early.text, />kept<\/textarea>/);

  const noted = await browser.submit(shown, `${path}/notes`, { note: "A note" });
  assert.equal(noted.status, 303, noted.text);
  const other = await browser.submit(shown, `${path}/notes`, { note: "Another note" });
  assert.equal(other.status, 422);
  assert.match(other.text, /role="alert"[^>]*><p>This form was sent before with other entries\./);
  assert.doesNotMatch(other.text, /There is one already/);
  const again = await browser.submit(other, `${path}/notes`, { note: "Another note" });
  assert.equal(again.status, 303, again.text);
  const done = await browser.submit(shown, `${path}/tasks/${task!.id}/done`, {});
  assert.equal(done.status, 303, done.text);
  const entries = (await browser.get(path)).text.split('data-list="timeline"')[1]!;
  assert.match(entries, new RegExp(`data-entity="task" data-id="${task!.id}" data-status="completed"`));

  const wrong = await browser.submit(shown, `${path}/activities`, { note: "kept" });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, />kept<\/textarea>/);
  assert.match(wrong.text, /What happened: Please fill in this field\./);

  const closed = await browser.submit(wrong, `${path}/activities`, { activity_type_ids: order! });
  assert.equal(closed.status, 303, closed.text);
  const after = await browser.get(path);
  assert.match(after.text, /data-status="closed"/);
  assert.doesNotMatch(after.text, /name="activity_type_ids"/);
});

Deno.test("a case that changed state meanwhile answers 409 and shows its state", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const lead = await sales.lead();
  const accepted = await sales.member.call("PUT", `/v1/leads/${lead.id}/accept`, {});
  const id = accepted.body.case_id;
  const browser = await signedIn(app, sales.member);
  const page = await browser.get(`/app/cases/${id}`);
  const first = await sales.admin.call("PUT", `/v1/cases/${id}/decline`, { reason: "Bought elsewhere" });
  assert.equal(first.status, 200, first.text);
  const late = await browser.submit(page, `/app/cases/${id}/decline`, { reason: "Too late" });
  assert.equal(late.status, 409, late.text);
  assert.match(late.text, /The case is not open any more\./);
  assert.match(late.text, /data-status="declined"/);
});

Deno.test("an activity sends a mail by a template, and the case shows each mail in a frame without scripts", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const lead = await sales.lead();
  const accepted = await sales.member.call("PUT", `/v1/leads/${lead.id}/accept`, {});
  const path = `/app/cases/${accepted.body.case_id}`;
  const template = await sales.admin.call("POST", "/v1/templates", {
    type: "email",
    title: "Frame",
    content: "<p>Dear {{contact.first_name}}</p>{{content}}",
    team_id: null,
  });
  assert.equal(template.status, 201, template.text);
  const browser = await signedIn(app, sales.member);
  const page = await browser.get(path);
  const [offer] = /(?<=name="activity_type_ids" value=")[^"]+/.exec(page.text)!;
  assert.match(page.text, />Send it now<\/label>/);
  assert.match(page.text, /data-list="correspondences" data-total="0"/);
  const saved = await browser.submit(page, `${path}/activities`, {
    activity_type_ids: offer!,
    template_id: String(template.body.id),
    email_subject: "Your <offer>",
    email_content: "Line one\nLine <b>two</b>",
    email_send: "on",
    note: "Called first",
    communication_channel: "phone",
  });
  assert.equal(saved.status, 303, saved.text);
  const shown = await browser.follow(saved);
  assert.match(shown.text, /data-list="correspondences" data-total="1"/);
  const [{ id }] = await app.sql("select id from correspondences") as [{ id: string }];
  const frame = `${path}/correspondences/${id}`;
  assert.match(shown.text, new RegExp(`<iframe sandbox="" src="${frame}" title="Your &lt;offer>?`));
  assert.match(shown.text, /Activity\s· Phone\s· <bdi>/);
  const mail = await browser.get(frame);
  assert.match(mail.text, /<p>Dear Ada<\/p>Line one<br ?\/?>Line &lt;b&gt;two&lt;\/b&gt;/);
  assert.equal(
    mail.headers.get("content-security-policy"),
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
  );
  assert.equal(mail.headers.get("x-frame-options"), null);
  const stranger = await signedIn(app, await sales.company.user());
  assert.equal((await stranger.get(frame)).status, 404);
});

Deno.test("a case that has ended takes notes, and no activity unless it opens the case again", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { id } = (await sales.member.call("PUT", `/v1/leads/${(await sales.lead()).id}/accept`, {})).body;
  const [{ case_id }] = await app.sql("select case_id from leads where id = ?", id) as [{ case_id: string }];
  await sales.admin.call("PUT", `/v1/cases/${case_id}/decline`, { reason: "Bought elsewhere" });
  const browser = await signedIn(app, sales.member);
  const { text } = await browser.get(`/app/cases/${case_id}`);
  assert.match(text, /aria-label="New note"/);
  for (const name of ["New activity", "New task", "Save chance", "Decline case"]) {
    assert.ok(!text.includes(`aria-label="${name}"`), name);
  }
});

Deno.test("a case shows a letter in a frame, and leads those who see the case to its PDF", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const accepted = await sales.member.call("PUT", `/v1/leads/${(await sales.lead()).id}/accept`, {});
  const path = `/app/cases/${accepted.body.case_id}`;
  const browser = await signedIn(app, sales.admin);
  const [offer] = /(?<=name="activity_type_ids" value=")[^"]+/.exec((await browser.get(path)).text)!;
  const written = await sales.member.call("POST", `/v1/cases/${accepted.body.case_id}/activities`, {
    activity_type_ids: [offer],
    communication_channel: "letter",
    note: "Sent",
    correspondence: {
      letter: { content: "<p>Dear <b>{{contact.last_name}}</b></p><script>alert(1)</script>" },
    },
  });
  assert.equal(written.status, 201, written.text);
  const page = await browser.get(path);
  const [, id] = /data-entity="correspondence" data-id="([^"]+)"/.exec(page.text)!;
  const address = `${path}/correspondences/${id}`;
  assert.match(page.text, new RegExp(`<iframe sandbox="" src="${address}"`));
  assert.match(page.text, new RegExp(`<a href="${address}/pdf"[^>]*>PDF</a>`));
  const framed = await browser.get(address);
  assert.match(framed.text, /Dear <b>Byron<\/b>/);
  assert.doesNotMatch(framed.text, /script/);
  assert.match(framed.headers.get("content-security-policy")!, /^sandbox; default-src 'none'/);
  assert.equal(framed.headers.get("x-frame-options"), null);
  const led = await browser.get(`${address}/pdf`);
  assert.equal(led.status, 303, led.text);
  const file = await fetch(new URL(led.headers.get("location")!, app.url));
  const start = new TextDecoder().decode((await file.bytes()).subarray(0, 5));
  assert.deepEqual([file.status, file.headers.get("content-type"), start], [200, "application/pdf", "%PDF-"]);
  const stranger = await signedIn(app, await sales.company.user());
  for (const one of [address, `${address}/pdf`]) assert.equal((await stranger.get(one)).status, 404, one);
});
