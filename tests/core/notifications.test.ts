import assert from "node:assert/strict";
import { composeMessage, type NotificationData, notificationTypes } from "../../src/core/notifications.ts";

const user = { id: 1, first_name: "Ada", last_name: "<i>Byron</i>", profile_picture: null };
const ofCase = { id: "c", case_number: 12, relations_path_name: "Cars & more" };
const lead_type = { id: "t", name: "Test 'drive'" };
const webhook = { id: 3, target_url: "https://hooks.example.org/s3cret" };
const everything: NotificationData = {
  user,
  case: ofCase,
  task: { id: "t" },
  lead: { id: "l" },
  lead_type,
  webhook,
  campaign: { id: "c", name: "Spring & <Summer>", type: "email" },
};

Deno.test("every type of notification has plain text and HTML, which escapes its data", () => {
  for (const type of notificationTypes) {
    const { plain, formatted } = composeMessage(type, everything, null);
    assert.ok(plain.length > 10, type);
    assert.equal(/<(?!\/?b>)|&(?!#\d+;)/.test(formatted), false, formatted);
    const shown = formatted.replaceAll(/<\/?b>/g, "")
      .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    assert.equal(shown, plain);
  }
  assert.deepEqual(composeMessage("note", everything, null), {
    plain: "Ada <i>Byron</i> mentioned you in a note on case 12 (Cars & more).",
    formatted:
      "<b>Ada &#60;i&#62;Byron&#60;/i&#62;</b> mentioned you in a note on case <b>12</b> (<b>Cars &#38; more</b>).",
  });
});

Deno.test("a notification has text without a user who caused it, and after its record was deleted", () => {
  assert.equal(
    composeMessage("case_owner", { user: null, case: null }, null).plain,
    "Somebody gave you a case.",
  );
  assert.equal(composeMessage("lead_revoked", { lead_type: null }, null).plain, "A lead has been revoked.");
  assert.match(
    composeMessage("webhook_paused", { webhook: null }, null).plain,
    /^Your webhook has been paused: /,
  );
});

Deno.test("a custom notification shows its text, in HTML with line breaks", () => {
  assert.deepEqual(composeMessage("custom", { user }, '1 < 2\nand\r\n"so"'), {
    plain: '1 < 2\nand\r\n"so"',
    formatted: "1 &#60; 2<br>and<br>&#34;so&#34;",
  });
});

Deno.test("a notification shows only the host of a webhook's address, because the rest can be secret", () => {
  const { plain, formatted } = composeMessage("webhook_paused", { webhook }, null);
  assert.match(plain, /^Your webhook 3 to hooks\.example\.org has been paused: /);
  assert.match(formatted, /^Your webhook <b>3<\/b> to <b>hooks\.example\.org<\/b> has been paused: /);
});
