/** Choices of people, teams and templates in companies that have more of them than a page lists. */
import assert from "node:assert/strict";
import { insertAll } from "../../src/db/statements.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { templates } from "../../src/messages/templates/record.ts";
import { startApp, type TestApp } from "../support/app.ts";
import type { Browser, Shown } from "../support/browser.ts";
import { fillCompany, listPlaces } from "./places.ts";
import { signedIn } from "./world.ts";

/** More than a page of the API has. */
const many = 130;

/** What fields choose, by their names in forms. */
const chosen: Readonly<Record<string, string>> = {
  user_id: "people",
  task_user_id: "people",
  mentions: "people",
  users: "people",
  team_id: "teams",
  agency_team_id: "teams",
  team_ids: "teams",
  teams: "teams",
  template_id: "templates",
};
/** Tables whose records a form offers all of, by the names of its fields. */
const complete: Readonly<Record<string, string>> = {
  relations_path_id: "relations_paths",
  path: "relations_paths",
  lead_type_id: "lead_types",
  lead_types: "lead_types",
  role_ids: "roles",
  group_id: "groups",
};
/** Choices that are no records of a company, although there are many. */
const fixed: ReadonlySet<string> = new Set(["timezone", "language", "value", "field", "fixed.country"]);

interface Field {
  readonly name: string;
  readonly options: number;
  readonly form: string;
}

/** Returns the selects and groups of checkboxes of a page, each with its form. */
function listFields(html: string): Field[] {
  return html.split("<form").slice(1).map((part) => part.split("</form>", 1)[0]!).flatMap((form) => {
    const selects = [...form.matchAll(/<select[^>]* name="([^"]+)"[^>]*>(.*?)<\/select>/gs)].map((
      [, name, options],
    ) => ({ name: name!, options: options!.match(/<option value="[^"]/g)?.length ?? 0, form }));
    const boxes = [...form.matchAll(/<input type="checkbox"[^>]* name="([^"]+)"/g)].map(([, name]) => name!);
    return [
      ...selects,
      ...[...new Set(boxes)].map((name) => ({
        name,
        options: boxes.filter((one) => one === name).length,
        form,
      })),
    ];
  });
}

/** Copies the first record of the table as often as it needs for more than a page of the API. */
async function copyFirst(app: TestApp, table: string): Promise<void> {
  const columns = (await app.sql("select name from pragma_table_info(?)", table)).map(({ name }) =>
    String(name)
  );
  const [first] = await app.sql(`select typeof(id) as type from ${table} limit 1`);
  const id = first!.type === "integer" ? "100000 + i" : "printf('0197aaaa-0000-7000-8000-%012d', i)";
  const made: Readonly<Record<string, string>> = {
    id,
    name: "'Another ' || i",
    title: "'Another ' || i",
    name_key: "'another ' || i",
  };
  // The number of a row is given by the table.
  const copied = columns.filter((name) => name !== "seq");
  await app.deps.db.write([{
    sql: `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${many})
      insert into ${table} (${copied}) select ${copied.map((name) => made[name] ?? `one.${name}`)}
      from n, (select * from ${table} limit 1) as one`,
    args: [],
  }]);
}

async function makeMany(app: TestApp): Promise<Browser> {
  const sizes = { contacts: 60, accounts: 20, cases: 20, leads: 30, teams: many, users: many };
  const admin = await fillCompany(app, sizes);
  const [of] = await app.sql("select company_id from users where id = ?", admin.id);
  await app.deps.db.write([insertAll(templates, [{
    id: 1,
    company_id: Number(of!.company_id),
    user_id: admin.id,
    type: "email",
    title: "Offer",
    content: "<p>Hello</p>",
    created_at: formatTimestamp(app.clock.now()),
    updated_at: formatTimestamp(app.clock.now()),
  }])]);
  for (const table of ["templates", ...new Set(Object.values(complete))]) await copyFirst(app, table);
  await app.deps.db.write([{ sql: "update users set locale = 'en-GB' where id = ?", args: [admin.id] }]);
  return await signedIn(app, admin);
}

/** Returns the options of a select by their texts. */
function readOptions({ text }: Shown, name: string): Map<string, string> {
  const [, options] = new RegExp(`<select[^>]* name="${name}"[^>]*>(.*?)</select>`, "s").exec(text)!;
  return new Map([...options!.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)/g)].map((
    [, value, name],
  ) => [name!, value!]));
}

Deno.test("each choice of records leads to all of them", async (t) => {
  await using app = await startApp();
  const browser = await makeMany(app);
  const addresses = [...await listPlaces(app), "/app/cases?view=list", "/app/cases?view=board"];

  await t.step("a form has all choices, or finds those that it does not list", async () => {
    const faults: string[] = [];
    const met = new Set<string>();
    for (const address of addresses) {
      const { text } = await browser.get(address);
      for (const { name, options, form } of listFields(text)) {
        const of = name === "assign_to" ? /users/.test(address) ? "people" : "teams" : chosen[name];
        const table = complete[name];
        met.add(name);
        // A person switches between all of their own teams.
        if (address === "/app/me" && name === "team_id") continue;
        if (of !== undefined) {
          if (!form.includes(`name="find_${of}"`)) faults.push(`${address}: ${name} is not found`);
          if (options > 102) faults.push(`${address}: ${name} lists ${options}`);
        } else if (table !== undefined) {
          if (options <= many) faults.push(`${address}: ${name} lists ${options} ${table}`);
        } else if (options >= 50 && !fixed.has(name)) {
          faults.push(`${address}: nothing says what the ${options} choices of ${name} are`);
        }
      }
    }
    assert.deepEqual(faults, []);
    const missing = [...Object.keys(chosen), ...Object.keys(complete)].filter((name) => !met.has(name));
    assert.deepEqual(missing, []);
  });

  const newCasePage = addresses.find((address) => address.startsWith("/app/cases/new"))!;
  const listed = new Set(readOptions(await browser.get(newCasePage), "user_id").values());
  const last = (await app.sql("select id, email from users where user_type = 3")).find(({ id }) =>
    !listed.has(String(id))
  )!;
  const name = "Zora Quillmark";
  const profile = `/app/admin/users/${last.id}`;
  const [team] = await app.sql("select id, name from teams order by name desc limit 1");
  const renamed = await browser.submit(await browser.get(profile), profile, {
    first_name: "Zora",
    last_name: "Quillmark",
    email: String(last.email),
    user_type: "3",
    team_ids: String(team!.id),
  });
  assert.equal(renamed.status, 303, renamed.text);

  await t.step("a person beyond the first hundred is found by name, and what was chosen stays", async () => {
    const page = await browser.get(newCasePage);
    assert.equal(readOptions(page, "user_id").has(name), false);
    assert.match(page.text, new RegExp(`The list has the first 100 of ${many}\\.`));
    const found = await browser.submit(page, "/app/cases/new", { "find_people": name, find: "user_id" });
    assert.equal(found.status, 200, found.text);
    const user_id = readOptions(found, "user_id").get(name);
    assert.equal(user_id, String(last.id));
    assert.match(found.text, /<select id="[^"]*" name="user_id" autofocus/);

    // Enter in the field sends the form by its first button, which has no name.
    const further = await browser.submit(found, "/app/cases/new", {
      user_id: user_id!,
      "find_people": name,
      "find_teams": String(team!.name),
    });
    assert.equal(further.status, 200);
    const team_id = readOptions(further, "team_id").get(String(team!.name));
    assert.ok(team_id);
    assert.match(further.text, new RegExp(`<option value="${user_id}" selected`));

    const nobody = await browser.submit(further, "/app/cases/new", {
      user_id: user_id!,
      team_id,
      "find_people": "nobody has this name",
      "find_teams": String(team!.name),
    });
    assert.match(nobody.text, /Nothing found\./);
    assert.match(nobody.text, new RegExp(`<option value="${user_id}" selected`), "what was chosen stays");

    const made = await browser.submit(further, "/app/cases/new", {
      team_id,
      relations_path_id: [...readOptions(further, "relations_path_id").values()][0]!,
      user_id: user_id!,
      "find_people": name,
      "find_teams": String(team!.name),
    });
    assert.equal(made.status, 303, made.text);
    const [stored] = await app.sql(
      "select user_id from cases where id = ?",
      made.headers.get("location")!.split("/").at(-1)!,
    );
    assert.equal(stored!.user_id, last.id);
  });

  await t.step("a list of cases is narrowed to a person who was found", async () => {
    const query = new URLSearchParams({ view: "list", "find_people": name });
    const page = await browser.get(`/app/cases?${query}`);
    assert.equal(readOptions(page, "users").get(name), String(last.id));
    assert.doesNotMatch(page.text, /role="alert"/);
    query.set("users", String(last.id));
    query.set("find_people", "nobody has this name");
    const narrowed = await browser.get(`/app/cases?${query}`);
    assert.match(narrowed.text, new RegExp(`<option value="${last.id}" selected`));
    assert.match(narrowed.text, /data-list="cases" data-total="1"/);
    assert.match(narrowed.text, /Nothing found\./);
  });

  await t.step(
    "the history of a lead and the page of an account name people and teams of any number",
    async () => {
      const address = addresses.find((one) => /^\/app\/leads\/[\w-]{36}$/.test(one))!;
      await app.deps.db.write([{
        sql: "insert into lead_transitions (lead_id, kind, at, user_id) values (?, 'assignment', ?, ?)",
        args: [address.split("/").at(-1)!, formatTimestamp(app.clock.now()), last.id!],
      }]);
      const history = (await browser.get(address)).text;
      assert.ok(history.slice(history.indexOf("History")).includes(name), name);
      const account = addresses.find((one) => /^\/app\/accounts\/[\w-]{36}$/.test(one))!;
      const page = await browser.get(`${account}/edit`);
      const offered = new Set(readOptions(page, "team_id").values());
      const owner = (await app.sql("select id, name from teams")).find(({ id }) => !offered.has(String(id)))!;
      await app.deps.db.write([{
        sql: "update accounts set team_id = ? where id = ?",
        args: [owner.id!, account.split("/").at(-1)!],
      }]);
      assert.ok((await browser.get(account)).text.includes(String(owner.name)));
    },
  );
});

Deno.test("all invitations are listed, page by page", async () => {
  await using app = await startApp();
  const browser = await signedIn(app, await fillCompany(app));
  const path = "/app/admin/users/invite";
  const form = await browser.get(path);
  for (let at = 0; at < 27; at++) {
    const fields = { email: `guest${at}@example.org`, key: crypto.randomUUID() };
    assert.equal((await browser.submit(form, path, fields)).status, 303);
  }
  const first = (await browser.get("/app/admin/users")).text;
  assert.match(first, /data-list="invitations" data-total="27"/);
  const [, next] = /<a rel="next" href="([^"#]*)#invitations"/.exec(first)!;
  const second = (await browser.get(next!)).text;
  const list = (text: string) =>
    [...text.matchAll(/data-entity="invitation" data-id="(\d+)"/g)].map(([, id]) => id);
  assert.equal(new Set([...list(first), ...list(second)]).size, 27);
});
