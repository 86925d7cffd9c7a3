/** All forms of the console, as its pages show them: hostile texts, sent twice, of another session, out of date. */
import assert from "node:assert/strict";
import { actions } from "../../src/console/console.ts";
import type { TestApp } from "../support/app.ts";
import type { Browser } from "../support/browser.ts";
import { takeSample } from "../support/sample.ts";
import { listPlaces, startFilled } from "./places.ts";
import { signedIn, signedInAgain } from "./world.ts";

const hostile = `<img src=x onerror=alert(1)> "שלום" &amp; 'ok'`;
const long = `${hostile} ${"w".repeat(5_000)}`;

interface Form {
  readonly page: string;
  readonly action: string;
  readonly html: string;
}

const absent = [
  // The status that reports a completed task has it.
  "/app/tasks/:task_id/open",
  // Those of the test are needed.
  "/app/admin/processes/:relations_path_id/delete",
  "/app/admin/lead-types/:lead_type_id/delete",
];

/** Adds what the made-up company has none of: invitations, and files of records. */
async function addRest(app: TestApp, browser: Browser, places: readonly string[]): Promise<void> {
  const path = "/app/admin/users/invite";
  for (const name of ["new", "newer"]) {
    const invited = await browser.submit(await browser.get(path), path, { email: `${name}@example.org` });
    assert.equal(invited.status, 303, invited.text);
  }
  for (const place of places.filter((one) => /^\/app\/(?:cases|accounts|contacts)\/[\w-]{36}$/.test(one))) {
    const sent = new FormData();
    sent.set("token", /name="token" value="([^"]+)"/.exec((await browser.get(place)).text)![1]!);
    sent.set("key", crypto.randomUUID());
    sent.set("file", new File(["hello"], "offer.txt"));
    const answer = await fetch(`${app.url}${place}/files`, {
      method: "POST",
      headers: { cookie: `session=${browser.cookies.get("session")}` },
      body: sent,
      redirect: "manual",
    });
    await answer.body?.cancel();
    assert.equal(answer.status, 303, place);
  }
}

/** Forms that end what other forms are about come last, in this order. */
const ends = [
  /\/(?:delete|withdraw)$/,
  /accounts\/.*\/delete$/,
  /\/decline$|\/password$/,
  /\/sessions\//,
  /\/sign-out$/,
];
const findPlace = ({ action }: Form) => ends.findLastIndex((end) => end.test(action));

async function collectForms(browser: Browser, places: readonly string[]): Promise<Form[]> {
  const found = new Map<string, Form>();
  for (const page of places) {
    const { text, status } = await browser.get(page);
    assert.equal(status, 200, page);
    for (const html of text.split("<form").slice(1).map((part) => part.split("</form>")[0]!)) {
      const action = / action="([^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
      if (!/ method="post"/.test(html) || !action) continue;
      const kind = findPattern(action);
      // One invitation is sent again, which replaces it, and another is withdrawn.
      if (!found.has(kind) || /\/withdraw$/.test(kind)) found.set(kind, { page, action, html });
    }
  }
  return [...found.values()].toSorted((one, two) => findPlace(one) - findPlace(two));
}

/** Returns the path of the declared action. */
function findPattern(action: string): string {
  const asked = action.split("?", 1)[0]!.split("/");
  const known = actions.find(({ path }) => {
    const parts = path.split("/");
    return parts.length === asked.length &&
      parts.every((part, at) => part.startsWith(":") || part === asked[at]);
  });
  assert.ok(known, `no action for ${action}`);
  return known.path;
}

/** Fills all fields of a form: texts as given, others with a value that fits. */
function fillForm(html: string, text: string): URLSearchParams {
  const fields = new URLSearchParams();
  const readValue = (tag: string) => / value="([^"]*)"/.exec(tag)?.[1]?.replaceAll("&quot;", '"') ?? "";
  const readName = (tag: string) => / name="([^"]*)"/.exec(tag)?.[1];
  for (const [tag] of html.matchAll(/<input[^>]*>/g)) {
    const name = readName(tag);
    const type = / type="([^"]*)"/.exec(tag)?.[1] ?? "text";
    if (!name || type === "file" || name === "add") continue;
    if (type === "radio" || type === "checkbox") {
      if (/ checked/.test(tag) || !fields.has(name)) fields.set(name, readValue(tag));
    } else {
      const dates: Record<string, string> = { date: "2026-03-03", "datetime-local": "2026-03-03T10:00" };
      const other = {
        hidden: readValue(tag),
        number: readValue(tag) || "1",
        email: `a${crypto.randomUUID()}@example.org`,
      };
      fields.set(name, { ...other, ...dates }[type as "hidden"] ?? text);
    }
  }
  for (const [, name] of html.matchAll(/<textarea[^>]* name="([^"]*)"/g)) fields.set(name!, text);
  for (const [, tag, options] of html.matchAll(/<select([^>]*)>(.*?)<\/select>/gs)) {
    const all = [...options!.matchAll(/<option([^>]*)>/g)].map(([, option]) => option!);
    fields.set(readName(tag!)!, readValue(all.find((one) => / selected/.test(one)) ?? all[0] ?? ""));
  }
  return fields;
}

Deno.test("every form takes any text, shows it as text, and has one effect when it is sent twice", async () => {
  await using filled = await startFilled();
  const { app, made: admin } = filled;
  const browser = await signedIn(app, admin);
  const other = await signedInAgain(app, admin);
  const places = await listPlaces(app);
  await addRest(app, browser, places);
  // Each state of a lead has forms of its own.
  const leads = await app.sql("select max(id) as id from leads group by state");
  const forms = await collectForms(browser, [...places, ...leads.map(({ id }) => `/app/leads/${id}`)]);
  const wrong: string[] = [];
  for (const form of takeSample(forms)) {
    const { page, action, html } = form;
    const fault = (what: string) => wrong.push(`${action} of ${page}: ${what}`);
    const theirs = await other.post(action, Object.fromEntries(fillForm(html, "x")));
    if (theirs.status !== 403 && findPlace(form) < 3) {
      fault(`${theirs.status} for the token of another session`);
    }
    const stale = fillForm(html, hostile);
    if (stale.has("version")) {
      stale.set("version", '"another"');
      const answer = await browser.post(action, Object.fromEntries(stale));
      const [alert] = /role="alert".*?<\/div>/s.exec(answer.text) ?? [""];
      if (answer.status !== 412 || !/geändert/.test(alert)) {
        fault(`${answer.status} for a version that is gone`);
      }
      const isTyped = [...stale.values()].includes(hostile);
      if (isTyped && !/&lt;img src=x/.test(answer.text)) {
        fault("loses what was typed when the record has changed");
      }
    }
    for (const text of findPlace(form) < 0 ? [long, hostile] : [hostile]) {
      const fields = Object.fromEntries(fillForm(html, text));
      if (fields.key) fields.key = crypto.randomUUID();
      const answer = await browser.post(action, fields);
      if (/<img src=x/.test(answer.text)) fault("shows a text as HTML");
      if (![200, 303, 409, 412, 422].includes(answer.status)) fault(`${answer.status}`);
      if (answer.status === 422) {
        if (!/role="alert"/.test(answer.text)) fault("422 without an alert");
        if (
          /\{|_id\b|\w+\[\d/.test(
            /role="alert".*?<\/div>/s.exec(answer.text)?.[0]?.replaceAll(/<[^>]*>/g, "") ?? "",
          )
        ) {
          fault(`names ${/role="alert".*?<\/div>/s.exec(answer.text)?.[0]?.replaceAll(/<[^>]*>/g, " ")}`);
        }
        continue;
      }
      if (answer.status !== 303) continue;
      const to = answer.headers.get("location")!;
      if (/sign-out/.test(action)) continue;
      const again = await browser.post(action, fields);
      if (again.status !== 303 || again.headers.get("location") !== to) {
        fault(`sent twice: ${again.status} ${again.headers.get("location")} instead of ${to}`);
      }
      const shown = await browser.get(to);
      if (shown.status !== 200 || /<img src=x/.test(shown.text)) fault(`leads to ${to}: ${shown.status}`);
    }
  }
  assert.deepEqual(wrong, []);
  const seen = new Set(forms.map(({ action }) => findPattern(action)));
  assert.deepEqual(actions.map(({ path }) => path).filter((path) => !seen.has(path)), absent);
});
