import assert from "node:assert/strict";
import { composeWith } from "../../src/messages/placeholders/compose.ts";
import { type Found, Html, mostRendered, TooLong } from "../../src/messages/placeholders/render.ts";

/** Composes with the values of every text. */
const compose = (
  texts: { subject: string; content: string },
  values: Record<string, Found>,
  shown = false,
) => composeWith({ ...texts, frame: null }, () => (name) => values[name], shown);

Deno.test("a value of HTML is HTML in the content, and its words on one line in the subject", async () => {
  const content = "<p>{{signature}}</p>{{#signature}}yes{{/signature}}";
  const subject = "From {{signature}}! {{#signature}}yes{{/signature}}";
  assert.deepEqual(
    await compose({ subject, content }, { signature: new Html("Ada &amp; co<br />London<b></b>") }),
    {
      subject: "From Ada & co London! yes",
      html: "<p>Ada &amp; co<br />London<b></b></p>yes",
    },
  );
  // A value counts as present even if it has no words.
  assert.deepEqual(await compose({ subject, content }, { signature: new Html("<br />") }, true), {
    subject: "From ! yes",
    html: "<p><br /></p>yes",
  });
});

Deno.test("a subject of rows with HTML has a bound too", async () => {
  const rows = Array.from({ length: 5 }, () => new Map<string, string>());
  const signature = new Html(`<p>${"x".repeat(mostRendered / 4)}</p>`);
  await assert.rejects(
    compose({ subject: "{{#rows}}{{signature}}{{/rows}}", content: "" }, { rows, signature }),
    TooLong,
  );
});
