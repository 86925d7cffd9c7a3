/** Large texts are cleaned in a thread: other calls wait neither for previews nor for campaigns. */
import assert from "node:assert/strict";
import { cleanHere, cleanLargeOnThread } from "../../src/core/html.ts";
import { ExcessiveHtml } from "../../src/core/html_limits.ts";
import { makeThreadParser } from "../../src/platform/mail/parser_thread.ts";
import { getCompanyOfWork } from "../../src/platform/on_behalf.ts";
import { startApp } from "../support/app.ts";
import { processorTime } from "../support/processor_time.ts";
import {
  campaignMails,
  createCampaign,
  createConsumer,
  everybody,
  message,
  runWork,
  sendingCompany,
} from "./campaign_world.ts";

const { clean } = makeThreadParser();
/** Take longest of what is legal. */
const hostile = ["<b>".repeat(14_990) + "</i>".repeat(14_990), '<p style="color:red">'.repeat(14_900)];

/** The longest time in milliseconds that the work takes without a turn for others, by this thread's processor. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      longest = Math.max(longest, await processorTime(() => new Promise((resolve) => setTimeout(resolve))));
    }
  })();
  try {
    await work();
  } finally {
    isDone = true;
    await watching;
  }
  return longest;
}

Deno.test({
  name: "a preview and a campaign of large texts stall no other call",
  // The thread is kept for some seconds.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using app = await startApp();
    const { admin } = await sendingCompany(app);
    await clean({ kind: "email", html: "<p>x</p>" });
    const preview = async () => {
      for (const content of hostile) {
        const { status, text } = await admin.call("POST", "/v1/templates/preview/email", { content });
        assert.equal(status, 200, text);
      }
    };
    const here = await longestStall(preview);
    cleanLargeOnThread(clean);
    const beside = await longestStall(preview);
    assert.ok(beside < 150 && beside * 2 < here, `${beside} ms, and ${here} ms without a thread`);

    const row = '<tr><td style="padding:4px">{{contact.first_name}} has <b>news</b></td></tr>';
    const content = `<table>${row.repeat(Math.ceil(96 * 1024 / row.length))}</table>`;
    for (let at = 0; at < 20; at++) {
      await createConsumer(admin, { first_name: `Ada ${at}`, email: `a${at}@example.org` });
    }
    await createCampaign(admin, { ...everybody, message: { ...message, content } });
    const sending = await longestStall(() => runWork(app));
    assert.equal(campaignMails(app).length, 20);
    assert.ok(sending < 150, `${sending} ms`);
  },
});

Deno.test({
  name: "a thread cleans as the call itself does, and refuses the same",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const html =
      '<style>p{color:red}</style><p class="a" onclick="x()">A &amp; <a href="javascript:x">b</a></p>';
    for (const kind of ["text", "email", "words"] as const) {
      assert.equal(await clean({ kind, html }), await cleanHere({ kind, html }));
    }
    await assert.rejects(clean({ kind: "email", html: "<p>x</p>".repeat(16_000) }), ExcessiveHtml);
  },
});

Deno.test("the thread that cleans texts knows for which company it does", async () => {
  await using app = await startApp();
  const [one, other] = [await app.company(), await app.company()];
  const companies: (number | null)[] = [];
  cleanLargeOnThread((text) => {
    companies.push(getCompanyOfWork());
    return cleanHere(text);
  });
  const content = "<p>Text</p>".repeat(2_000);
  for (const { admin } of [one, other]) {
    const { status, text } = await admin.call("POST", "/v1/templates", {
      type: "email",
      title: "T",
      content,
    });
    assert.equal(status, 201, text);
  }
  assert.deepEqual([...new Set(companies)], [one.id, other.id]);
});
