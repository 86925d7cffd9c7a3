/** What a refused form says: each fault leads to its field, which is marked and names its text. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import type { Browser, Shown } from "../support/browser.ts";
import { fillCompany, listPlaces } from "./places.ts";
import { signedIn } from "./world.ts";

/** A form by its page, its address below the page, and values that it refuses. */
interface Wrong {
  readonly page: string;
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The only field that is wrong. */
  readonly at?: string;
}

const nobody = "00000000-0000-7000-8000-000000000000";

Deno.test("each fault of a refused form leads to its field, which is marked and names its text", async () => {
  await using app = await startApp();
  const browser = await signedIn(app, await fillCompany(app));
  const places = await listPlaces(app);
  const sales = places.find((place) => /^\/app\/cases\/[\w-]{36}$/.test(place))!;
  const [stranger] = await app.sql("select max(id) + 1 as id from users");
  const forms: Wrong[] = [
    { page: sales, action: `${sales}/activities`, fields: {} },
    { page: sales, action: `${sales}/activities`, fields: { activity_type_ids: nobody } },
    { page: sales, action: `${sales}/activities`, fields: { activity_type_ids: "zzz" } },
    { page: sales, action: `${sales}/notes`, fields: { note: "Hello", mentions: String(stranger!.id) } },
    { page: sales, action: `${sales}/notes`, fields: { note: "Hello", mentions: "zzz" } },
    {
      page: "/app/admin/users/new",
      action: "/app/admin/users/new",
      fields: { team_ids: "zzz", role_ids: "-1" },
    },
    { page: "/app/admin/users/invite", action: "/app/admin/users/invite", fields: { team_ids: "-1" } },
    {
      page: "/app/admin/processes/new",
      action: "/app/admin/processes/new",
      fields: { name: "Empty", "milestones.0.name": "" },
    },
    {
      page: "/app/admin/processes/new",
      action: "/app/admin/processes/new",
      fields: {
        name: "New",
        "milestones.0.name": "",
        "milestones.1.name": "Offer",
        "milestones.1.chance_of_success": "many",
      },
      at: "milestones.1.chance_of_success",
    },
  ];
  const wrong: string[] = [];
  for (const form of forms) {
    const { action, fields, at } = form;
    const refused = await send(browser, form);
    const faults = refused.status === 422 ? listFaults(refused.text) : [`${refused.status}`];
    const marked = [...refused.text.matchAll(/ name="([^"]+)"[^>]* aria-invalid="true"/g)].map(([, name]) =>
      name
    );
    if (at !== undefined && marked.join() !== at) faults.push(`marks ${marked}`);
    wrong.push(...faults.map((fault) => `${action} ${JSON.stringify(fields)}: ${fault}`));
  }
  assert.deepEqual(wrong, []);
});

Deno.test("a form with a character that cannot be stored is shown again", async () => {
  await using app = await startApp();
  const browser = await signedIn(app, await fillCompany(app));
  const [page, action] = ["/app/leads/new", "/app/leads/new"];
  const refused = await send(browser, { page, action, fields: { interest: "a\u0000b", first_name: "Ada" } });
  assert.equal(refused.status, 422);
  assert.deepEqual(listFaults(refused.text), []);
  assert.match(refused.text, /name="first_name"[^>]* value="Ada"/);
  const expired = await browser.post(action, { interest: "a\u0000b" });
  assert.equal(expired.status, 403, "the token comes first");
});

Deno.test("the form of a process has at most one row more than a process has milestones", async () => {
  await using app = await startApp();
  const browser = await signedIn(app, (await app.company()).admin);
  const path = "/app/admin/processes/new";
  const rows = Array.from({ length: 300 }, (_, at) => [`milestones.${at}.name`, `Step ${at}`]);
  const page = await browser.get(path);
  for (const asked of [{}, { add: "milestone" }]) {
    const { status, text } = await browser.submit(page, path, {
      name: "Long",
      ...Object.fromEntries(rows),
      ...asked,
    });
    assert.equal(text.match(/ name="milestones\.\d+\.name"/g)?.length, 101);
    if ("add" in asked) assert.equal(status, 200);
    else {
      assert.equal(status, 422);
      assert.deepEqual(listFaults(text), []);
    }
  }
  assert.deepEqual(await app.sql("select id from relations_paths where name = 'Long'"), []);
});

Deno.test("a form with more fields than any form has is refused as it is read", async () => {
  await using app = await startApp();
  const browser = await signedIn(app, (await app.company()).admin);
  const path = "/app/admin/processes/new";
  const page = await browser.get(path);
  const fill = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`other.${at}`, ""]));
  const statuses = [];
  for (const count of [9_000, 10_001]) {
    statuses.push((await browser.submit(page, path, { ...fill(count), name: "" })).status);
  }
  assert.deepEqual(statuses, [422, 413]);
});

async function send(browser: Browser, { page, action, fields }: Wrong): Promise<Shown> {
  return await browser.submit(await browser.get(page), action, fields);
}

/** Returns what is missing at the faults of the alert. */
function listFaults(html: string): string[] {
  const [alert] = /role="alert".*?<\/div>/s.exec(html) ?? [""];
  const entries = [...alert.matchAll(/<li>(.*?)<\/li>/gs)].map(([, entry]) => entry!);
  if (entries.length === 0) return ["names no fault"];
  return entries.flatMap((entry) => {
    const id = /<a href="#([^"]+)"/.exec(entry)?.[1];
    if (id === undefined) return [`${entry} leads nowhere`];
    const [field] = new RegExp(`<[a-z]+[^>]* id="${RegExp.escape(id)}"[^>]*>`).exec(html) ?? [];
    if (field === undefined) return [`${entry} leads to no field`];
    const described = /aria-describedby="([^"]*)"/.exec(field)?.[1]?.split(" ") ?? [];
    return [
      ...field.includes('aria-invalid="true"') ? [] : [`${field} is not marked`],
      ...described.some((one) => one.endsWith("-fault") && html.includes(` id="${one}"`))
        ? []
        : [`${field} names no text`],
    ];
  });
}
