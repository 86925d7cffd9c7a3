/** What surrounds every page of the console, in English and in German, by the list of all pages. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { listPlaces, startFilled } from "./places.ts";
import { signedIn } from "./world.ts";

const words = {
  "en-GB": {
    skip: "Skip to the content",
    sections: ["Today", "Leads", "Cases", "Customers", "Administration"],
    unread: /^Notifications, (\d+) unread$/,
  },
  "de-DE": {
    skip: "Zum Inhalt",
    sections: ["Heute", "Leads", "Fälle", "Kunden", "Verwaltung"],
    unread: /(\d+) ungelesen/,
  },
} as const;

/** The records that the contract names. */
const entities = new Set(
  ("account contact case lead task note file folder template campaign automated correspondence notification user " +
    "team group role process lead-type field client webhook delivery invitation activity rank badge stream-event")
    .split(" "),
);
/** Records of pages that the contract leaves free. */
const further = new Set(["import", "export", "merge", "view", "session", "fault"]);

const readText = (html: string) =>
  html.replaceAll(/<[^>]*>/g, "").replaceAll("&amp;", "&").replaceAll("&#39;", "'").trim();

Deno.test("every page has its title, one banner, main and status, and the navigation in order", async () => {
  await using filled = await startFilled();
  const { app, made: admin } = filled;
  const browser = await signedIn(app, admin);
  const places = await listPlaces(app);
  const [{ n: unread } = { n: 0 }] = await app.sql(
    "select count(*) as n from notifications where user_id = ? and read_at is null",
    admin.id,
  );
  assert.ok(Number(unread) > 0, "the admin has unread notifications");
  const faults: string[] = [];
  for (const [locale, { skip, sections, unread: named }] of Object.entries(words)) {
    await app.deps.db.write([{ sql: "update users set locale = ? where id = ?", args: [locale, admin.id] }]);
    for (const address of places) {
      const { text, headers } = await browser.get(address);
      const check = (holds: unknown, what: string) => holds || faults.push(`${locale} ${address}: ${what}`);
      const count = (part: RegExp) => text.match(part)?.length ?? 0;
      const heading = readText(/<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1] ?? "");
      check(
        readText(/<title>(.*?)<\/title>/s.exec(text)?.[1] ?? "") === `${heading} · Wayline CRM`,
        "its title",
      );
      check(text.includes(`<html lang="${locale.slice(0, 2)}"`), "its language");
      check(count(/<h1/g) === 1 && count(/<main /g) === 1 && count(/<header/g) === 1, "one of each");
      check(count(/role="status"/g) === 1, "one status");
      check(/role="status"[^>]*><\/\w+>/.test(text), "the status is empty");
      const [, first] = /<body[^>]*>.*?(<(?:a|button|input|select|textarea|summary)\b.*?>.*?<)/s.exec(text) ??
        [];
      check(
        first?.includes('href="#content"') && first.includes(skip),
        "the first thing that takes the focus",
      );
      const navigation = /<nav[^>]*class="main"[^>]*>(.*?)<\/nav>/s.exec(text)?.[1] ?? "";
      const links = [...navigation.matchAll(/<a [^>]*>(.*?)<\/a>/gs)].map(([, link]) => readText(link!));
      check(links.join() === sections.join(), `the navigation has ${links}`);
      check((navigation.match(/aria-current="page"/g)?.length ?? 0) <= 1, "one present section");
      const bell = /<a [^>]*href="\/app\/notifications"[^>]*>/.exec(text)?.[0] ?? "";
      const label = /aria-label="([^"]*)"/.exec(bell)?.[1] ?? "";
      check(named.exec(label)?.[1] === String(unread), `the bell is named ${label}`);
      const levels = [...text.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
      check(levels.every((level, at) => at === 0 || level <= levels[at - 1]! + 1), `levels ${levels}`);
      for (const [, entity] of text.matchAll(/ data-entity="([^"]*)"/g)) {
        check(entities.has(entity!) || further.has(entity!), `a record ${entity}`);
      }
      for (const [tag] of text.matchAll(/<[^>]* data-entity="[^>]*>/g)) {
        check(/ data-id="[^"]+"/.test(tag), `no id: ${tag}`);
      }
      check(headers.get("x-content-type-options") === "nosniff", "nosniff");
      const policy = headers.get("content-security-policy")!;
      const missing = [
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].filter((rule) => !policy.includes(rule));
      check(missing.length === 0, `its policy lacks ${missing}`);
      for (const [link] of text.matchAll(/<a [^>]*href="(?!\/|#|\?)[^>]*>/g)) {
        check(/href="(?:tel:|mailto:|https?:[^>]*rel="noopener noreferrer")/.test(link), `a link ${link}`);
      }
    }
  }
  assert.deepEqual([...new Set(faults)], []);
});

Deno.test("a page that a person may not see names what is missing, and is offered nowhere", async () => {
  await using app = await startApp();
  const company = await app.company();
  const browser = await signedIn(app, await company.user({ teams: [await company.team()] }));
  for (const address of ["/app/admin", "/app/admin/users", "/app/admin/processes/new"]) {
    const { status, text } = await browser.get(address);
    assert.equal(status, 403, address);
    assert.match(text, /<h1>Not allowed<\/h1>/, address);
    assert.match(text, /<title>Not allowed · Wayline CRM<\/title>/, address);
  }
  assert.doesNotMatch((await browser.get("/app")).text, /href="\/app\/admin/);
});
