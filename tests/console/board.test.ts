/** The board of cases: its columns and sums, and moving a case by the form of its card. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import type { Shown } from "../support/browser.ts";
import { makeSales } from "../sales/leads_world.ts";
import { signedIn } from "./world.ts";

/** The columns of a page: their milestones, numbers, and cards. */
function readColumns(text: string) {
  return text.split("<section").slice(1).flatMap((part) => {
    const column = /data-milestone="([^"]+)" data-count="(\d+)" data-sum="([^"]+)"/.exec(part);
    if (!column) return [];
    const cards = [...part.matchAll(/data-entity="case" data-id="([^"]+)"/g)].map(([, id]) => id!);
    return [{ milestone: column[1]!, count: column[2]!, cards }];
  });
}

Deno.test("a card moves to a later milestone, and one that closes its case asks first", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const lead = await sales.lead();
  const accepted = await sales.member.call("PUT", `/v1/leads/${lead.id}/accept`, {});
  const id: string = accepted.body.case_id;
  const browser = await signedIn(app, sales.member);
  const page = await browser.get("/app/cases?view=board");
  const [none, offer, order] = readColumns(page.text);
  assert.deepEqual([none?.milestone, none?.count, none?.cards], ["none", "1", [id]]);
  assert.deepEqual([offer?.count, order?.count, order?.cards], ["0", "0", []]);
  assert.match(page.text, /data-list="cases" data-total="1"/);
  const action = `/app/cases/${id}/move`;
  const move = (page: Shown, milestone: string, more = {}) =>
    browser.submit(page, action, { milestone_id: milestone, ...more });

  const moved = await move(page, offer!.milestone);
  assert.equal(moved.status, 303, moved.text);
  const after = await browser.get(moved.headers.get("location")!);
  assert.match(after.text, /role="status"[^>]*>Moved to Offer\./);
  assert.deepEqual(readColumns(after.text)[1]?.cards, [id]);

  const asked = await move(after, order!.milestone);
  assert.equal(asked.status, 303, asked.text);
  const question = await browser.get(asked.headers.get("location")!);
  assert.match(question.text, /<h1>Close Case 1: Ada Byron\?<\/h1>/);
  assert.match(question.text, />Close case<\/button>/);
  const still = await sales.admin.call("GET", `/v1/cases/${id}`);
  assert.equal(still.body.status, "open");

  const closed = await move(question, order!.milestone);
  assert.equal(closed.status, 303, closed.text);
  const end = await browser.get(closed.headers.get("location")!);
  assert.match(end.text, /Moved to Order\./);
  assert.match(end.text, /data-list="cases" data-total="0"/);
  const late = await move(after, order!.milestone, { key: "another", confirmed: "yes" });
  assert.equal(late.status, 409, late.text);
  assert.match(late.text, /The case is not open any more\./);
});

Deno.test("the board opens with the process of most cases, shows 20 cards a column, and counts all of them", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const createPath = async (name: string): Promise<string> => {
    const made = await admin.call("POST", "/v1/relations-paths", {
      name,
      activity_types: { milestones: [{ name: "Offer" }, { name: "Order", set_status: "closed" }] },
    });
    return made.body.id;
  };
  const paths = [await createPath("Few"), await createPath("Many"), await createPath("Lone")];
  const account = await admin.call("POST", "/v1/accounts", {
    fixed_fields: [{ name: "name", value: "Ada Ltd" }],
  });
  const contact = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: [{ name: "last_name", value: "<Byron>" }],
  });
  const open = (path: string) =>
    admin.call("POST", "/v1/cases", { contact_id: contact.body.id, relations_path_id: path });
  for (const path of [paths[0]!, paths[2]!, ...Array<string>(22).fill(paths[1]!)]) {
    const made = await open(path);
    assert.equal(made.status, 201, made.text);
  }
  const browser = await signedIn(app, admin);
  const page = await browser.get("/app/cases?view=board&show=all");
  assert.match(page.text, new RegExp(`<option value="${paths[1]}" selected="">Many`));
  const [none] = readColumns(page.text);
  assert.deepEqual([none?.count, none?.cards.length], ["22", 20]);
  assert.match(page.text, /&lt;Byron&gt;/);
  const rest = /<a href="(\/app\/cases\?view=list[^"]+)">Show all/.exec(page.text)![1]!.replaceAll(
    "&amp;",
    "&",
  );
  const list = await browser.get(rest);
  assert.match(list.text, /data-list="cases" data-total="22"/);
});

Deno.test("a board of a hundred milestones stays small, and its cards move to any later one", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const names = Array.from({ length: 100 }, (_, at) => `Step ${at + 1}`);
  const path = await admin.call("POST", "/v1/relations-paths", {
    name: "Long",
    activity_types: { milestones: names.map((name) => ({ name })) },
  });
  assert.equal(path.status, 201, path.text);
  const steps: { id: string }[] = path.body.activity_types.milestones;
  const account = await admin.call("POST", "/v1/accounts", {
    fixed_fields: [{ name: "name", value: "Ada Ltd" }],
  });
  const contact = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: [{ name: "last_name", value: "Byron" }],
  });
  assert.equal(contact.status, 201, contact.text);
  const cases: string[] = [];
  for (const [at] of [null, ...steps].entries()) {
    const made = await admin.call("POST", "/v1/cases", {
      contact_id: contact.body.id,
      relations_path_id: path.body.id,
    });
    assert.equal(made.status, 201, made.text);
    cases.push(made.body.id);
    await admin.call("POST", `/v1/cases/${made.body.id}/tasks`, {
      type: "call",
      start_at: "2020-01-01T10:00:00Z",
      end_at: "2020-01-01T11:00:00Z",
    });
    if (at === 0) continue;
    const done = await admin.call("POST", `/v1/cases/${made.body.id}/activities`, {
      milestone_id: steps[at - 1]!.id,
    });
    assert.equal(done.status, 201, done.text);
  }
  const browser = await signedIn(app, admin);
  const page = await browser.get("/app/cases?view=board&show=all");
  const columns = readColumns(page.text);
  assert.deepEqual(columns.map(({ cards }) => cards.length), columns.map(() => 1));
  const elements = page.text.match(/<[a-z]/g)!.length;
  assert.ok(elements > 2_000 && elements <= 3_000, String(elements));

  const [, href] = new RegExp(`href="(/app/cases/${cases[40]}/move\\?[^"]*)"`).exec(page.text)!;
  const choice = await browser.get(href!.replaceAll("&amp;", "&"));
  assert.equal(choice.text.match(/<option /g)!.length, 60);
  const moved = await browser.submit(choice, `/app/cases/${cases[40]}/move`, { milestone_id: steps[98]!.id });
  const after = await browser.follow(moved);
  assert.match(after.text, /role="status"[^>]*>Moved to Step 99\./);
  assert.equal(readColumns(after.text).find(({ milestone }) => milestone === steps[98]!.id)!.count, "2");
});

Deno.test("the board of a company with a thousand processes asks for the cases of a hundred", async () => {
  await using app = await startApp();
  const { admin } = await makeSales(app);
  await app.deps.db.write([{
    sql: `with recursive n(i) as (select 1 union all select i + 1 from n where i < 900)
      insert into relations_paths (id, company_id, name, created_at, updated_at)
      select printf('0197aaaa-0000-7000-8000-%012d', i), company_id, name, created_at, updated_at
      from n, relations_paths`,
    args: [],
  }]);
  const browser = await signedIn(app, admin);
  const { db } = app.deps;
  const { readOnThread } = db;
  let lists = 0;
  db.readOnThread = (statements, how) => {
    lists += statements.filter(({ sql }) => /\bcases\b/.test(sql)).length;
    return readOnThread.call(db, statements, how);
  };
  const page = await browser.get("/app/cases?view=board");
  assert.equal(page.text.match(/<option value="[\da-f-]{36}"/g)?.length, 901);
  assert.ok(lists > 0 && lists <= 300, String(lists));
});
