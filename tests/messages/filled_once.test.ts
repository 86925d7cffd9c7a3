/** A text is cleaned once with marks, then filled with escaped values: as if it were cleaned for each message. */
import assert from "node:assert/strict";
import { extractPlainText, sanitizeEmail } from "../../src/core/html.ts";
import { cleanEmail } from "../../src/core/sanitizer.ts";
import { composeMailWith } from "../../src/messages/placeholders/compose.ts";
import { type Found, Html, render } from "../../src/messages/placeholders/render.ts";
import { parseText, sanitizeFrame } from "../../src/messages/placeholders/syntax.ts";
import { processorTime } from "../support/processor_time.ts";
import { isWhole, takeSample } from "../support/sample.ts";

type Values = Record<string, Found>;

interface Text {
  readonly subject: string | null;
  readonly content: string;
  readonly frame: string | null;
}

/** Fills first and cleans afterwards. */
async function cleanedAfter({ subject, content, frame }: Text, values: Values) {
  const fill = (source: string, own: Values, target: "html" | "text" = "html") => {
    const value = (name: string) => name in own ? own[name] : values[name];
    return render(parseText(source), { value, target, source });
  };
  const line = subject === null ? null : await fill(subject, { subject: null, content: null }, "text");
  const inner = await sanitizeEmail(await fill(content, { subject: line, content: null }));
  const html = frame === null
    ? inner
    : await sanitizeEmail(await fill(frame, { subject: line, content: new Html(inner) }));
  return { subject: line, html, text: await extractPlainText(html) };
}

async function cleanedOnce(text: Text, values: Values) {
  const made = await composeMailWith(
    text,
    (own) => (name) => name in own ? Reflect.get(own, name) : values[name],
  );
  return { subject: made.subject, html: made.html, text: await made.words() };
}

const frames = [
  null,
  "<style>p{color:red}</style><h1>{{subject}}</h1><div>{{content}}</div><p>{{user.signature}}</p>",
  '<table title="{{contact.name}}"><tr><td>{{content}}</td></tr></table>{{#content}}<hr />{{/content}}{{content}}',
  '<p title="{{content}}">{{content}}</p>',
  '<style media="{{contact.name}}">p{color:{{contact.name}}}{{content}}</style>{{content}}',
  "{{content}}",
  "<p>No place for a text, {{contact.name}}</p>",
];

const contents = [
  "Dear {{contact.name}}, no tags",
  "<p>Dear {{contact.name}},<br />{{account.name}} &amp; {{contact.name}}</p>",
  "{{#contact.name}}<b>{{contact.name}}</b>{{/contact.name}}{{^contact.name}}<i>nobody</i>{{/contact.name}}",
  "<ul>{{#products}}<li>{{name}} ({{price}}), {{account.name}}</li>{{/products}}</ul>{{^products}}none{{/products}}",
  '<a href="https://x.example/?a={{contact.name}}&amp;b={{account.name}}#{{url}}">{{contact.name}}</a>',
  '<a href="{{url}}">{{url}}</a> <a href="{{url}}" target="{{contact.name}}">there</a>',
  '<a href="{{url}}{{contact.name}}">{{url}} {{contact.name}}</a><img src="{{url}}" alt="{{contact.name}}" />',
  '<a href="https://x.example/{{contact.name}}">https://x.example/{{account.name}}</a>',
  '<a href="/{{contact.name}}">x</a><a href="//{{contact.name}}">y</a><a href="mailto:{{contact.name}}">z</a>',
  '<img src="data:image/png;base64,{{contact.name}}" /><img src="https://x.example/{{contact.name}}.png" />',
  '<p style="color:{{contact.name}}">style</p><p style="font-family:{{account.name}}">font</p>',
  "<style>p{color:{{contact.name}}} .{{account.name}}{color:red}</style><p>sheet</p>",
  '<p class="{{contact.name}}" id="{{account.name}}" lang="{{contact.name}}" title="{{url}}">attributes</p>',
  "<p> {{contact.name}}</p><p>{{account.name}} </p>{{contact.name}}{{account.name}}",
  "&{{contact.name}}; &am{{contact.name}} &#{{account.name}} <{{contact.name}}> </{{contact.name}}> <!{{account.name}}",
  '<b {{contact.name}}="x">name</b><b title={{contact.name}}>bare</b><{{account.name}} title="x">tag</{{account.name}}>',
  '{{! <a title=" }}{{contact.name}}{{! "> }}<b title="{{! "> }} <i title="{{contact.name}}">x</i>',
  "<script>{{contact.name}}</script><!-- {{contact.name}} --><title>{{account.name}}</title><p>{{missing}}</p>",
  "\x020\x03 <p>{{contact.name}} \x021\x03</p>",
  "<p>{{user.signature}} {{{contact.name}}} {{&amp;contact.name}}</p>",
];

const plain: Values = {
  "contact.name": "Ada",
  "account.name": "Smith",
  url: "https://smith.example/a?b=c",
  products: [new Map([["name", "Car"], ["price", "12"]]), new Map([["name", "Van"], ["price", ""]])],
  "user.signature": new Html("<p>Ada &amp; co</p>"),
};
const of = (name: string): Values => ({
  ...plain,
  "contact.name": name,
  "account.name": `${name}2`,
  products: [new Map([["name", name], ["price", "1"]])],
});
const hostile = [
  '"><script>alert(1)</script>',
  "</style><script>alert(1)</script>",
  "javascript:alert(1)",
  ' onmouseover=alert(1) x="',
  "' onmouseover='alert(1)",
  "red;background:url(//x.example)",
  "amp;lt;b>",
  "&lt;b&gt; &amp; &#60;",
  "  two  blanks\n\tand lines  ",
  "b",
  "\x020\x03",
  "{{contact.email}}",
  "$& $1 $`",
  "50%\ud800 é 漢 😀 \u2028 \u00a0",
  "x".repeat(300),
];
const sets: Values[] = [
  plain,
  {},
  { ...plain, "account.name": "Ada" },
  { ...plain, url: 'https://smith.example/"q"<' },
  { ...plain, url: "javascript:alert(1)" },
  { ...plain, url: " java\tscript:alert(1)" },
  { ...plain, url: "smith.example" },
  { ...plain, url: "//smith.example", "user.signature": new Html("\x020\x03 <b>x</b>") },
  { ...plain, "contact.name": "", products: [] },
  ...hostile.map(of),
  ...hostile.map((name) => ({ ...of(name), url: name })),
];

/** Texts that users can store are clean. Others show that nothing depends on it. */
const stored = [false, true];

Deno.test("every placeholder in every place shows each value as cleaning after filling does", async () => {
  let compared = 0;
  for (const isStored of stored) {
    for (const given of takeSample(contents)) {
      // What cannot be stored is only looked at for its safety.
      for (const around of isStored ? frames : frames.slice(0, 2)) {
        const content = isStored ? await sanitizeFrame(given) : given;
        const frame = around && isStored ? await sanitizeFrame(around) : around;
        for (const values of sets) {
          const text = { subject: "For {{contact.name}}", content, frame };
          const made = await cleanedOnce(text, values);
          const where = JSON.stringify([text, values]);
          if (made.html.includes("<")) assert.equal(cleanEmail(made.html), made.html, where);
          if (!isStored) continue;
          assert.deepEqual(made, await cleanedAfter(text, values), where);
          compared++;
        }
      }
    }
  }
  assert.ok(compared > (isWhole ? 3_000 : 750));
});

Deno.test("a newsletter is cleaned once: further mails take a fraction of the time", async () => {
  const row =
    '<tr><td style="padding:4px;color:#333">{{contact.name}}, this is <b>new</b> at {{account.name}}.' +
    '<a href="https://x.example/?who={{contact.name}}">Read on</a></td></tr>';
  const rows = row.repeat(Math.ceil(96 * 1024 / row.length));
  const content = `<table>${rows}</table><p><a href="{{url}}">Leave</a></p>`;
  const text = { subject: "News", content, frame: "<div>{{content}}</div>" };
  const namesOfPeople = Array.from({ length: 10 }, (_, at) => `Ada ${at}`);
  await cleanedAfter(text, of("Ada"));
  const whole = await processorTime(async () => {
    for (const name of namesOfPeople) await cleanedAfter(text, of(name));
  });
  await cleanedOnce(text, of("Ada"));
  const filled = await processorTime(async () => {
    for (const name of namesOfPeople) await cleanedOnce(text, of(name));
  });
  assert.ok(filled * 2 < whole, `10 mails take ${filled} ms, and ${whole} ms when each is cleaned`);
});
