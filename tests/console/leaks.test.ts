/** What a person cannot see by the API is on no page of the console, and no form of it changes that. */
import assert from "node:assert/strict";
import { actions, pages } from "../../src/console/console.ts";
import { startApp } from "../support/app.ts";
import { makeSales, nameFields } from "../sales/leads_world.ts";
import { signedIn } from "./world.ts";

/** A word of all that belongs to the dealer, and its beginning, by which people search. */
const [word, beginning] = ["Zanzibar", "zanz"];

/** Lists and choices that could name or count it. */
const lists = [
  ...["mine", "team", "all"].map((view) => `/app/leads?view=${view}&search=${beginning}`),
  "/app/leads?view=all",
  ...["mine", "team", "all"].map((show) => `/app/cases?view=list&show=${show}`),
  ...["mine", "team", "all"].map((show) => `/app/cases?view=board&show=${show}`),
  `/app/cases?view=list&show=all&search=${beginning}`,
  "/app/customers?kind=contacts",
  "/app/customers?kind=accounts",
  `/app/customers?kind=contacts&search=${beginning}`,
  `/app/customers?kind=accounts&search=${beginning}`,
  `/app/customers?kind=contacts&field=contact.last_name&operator=sw&value=${beginning}`,
  `/app/customers?kind=accounts&field=account.city&operator=sw&value=${beginning}`,
  "/app/customers?kind=contacts&filter_id=:filter_id",
  "/app/cases?view=list&account_ids=:account_id",
  "/app/cases?view=list&contact_ids=:contact_id",
  `/app/search?q=${beginning}`,
];

Deno.test("records of others are on no page, in no count and no choice, and no form reaches them", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, member, company } = sales;
  const of = (email: string) => ({
    lead_source: word,
    interest: word,
    account: { fixed_fields: nameFields({ name: word, city: word }) },
    contact: { fixed_fields: nameFields({ first_name: word, last_name: word, email }) },
  });
  const [lead, taken] = [await sales.lead(of("one@example.org")), await sales.lead(of("two@example.org"))];
  const { body } = await member.call("PUT", `/v1/leads/${taken.id}/accept`, {});
  const { case_id, account_id, contact_id } = body;
  const create = async (path: string, sent: object) => {
    const reply = await member.call("POST", path, sent);
    assert.equal(reply.status, 201, reply.text);
    return reply.body;
  };
  const file = await create("/v1/files", { name: `${word}.txt`, data: btoa(word) });
  await member.call("POST", `/v1/cases/${case_id}/files`, { file_ids: [file.id] });
  await create("/v1/notes", { case_id, note: word });
  const times = { start_at: "2026-03-03 10:00:00", end_at: "2026-03-03 11:00:00" };
  const task = await create(`/v1/cases/${case_id}/tasks`, { type: "call", note: word, ...times });
  const [{ id: activity }] = await app.sql("select id from activity_types limit 1") as [{ id: string }];
  await create(`/v1/cases/${case_id}/activities`, {
    activity_type_ids: [activity],
    note: word,
    correspondence: { email: { subject: word, content: word, send: false } },
  });
  const [mail] = await app.sql("select id from correspondences");
  const condition = { field: "b2b_contact.fixed_fields.last_name", operator: "eq", value: word };
  const view = await create("/v1/contacts/filters", { name: word, filter: [condition] });
  const records: Record<string, string> = {
    ":lead_id": lead.id,
    ":case_id": case_id,
    ":account_id": account_id,
    ":contact_id": contact_id,
    ":file_id": file.id,
    ":task_id": task.id,
    ":filter_id": view.id,
    ":view_id": view.id,
    ":correspondence_id": mail!.id as string,
    ":user_id": String(member.id),
    ":team_id": String(sales.dealer),
    ":relations_path_id": sales.path,
    ":lead_type_id": sales.type,
  };
  const at = (path: string) => path.replaceAll(/:\w+/g, (name) => records[name] ?? "1");
  const own = /:(?:lead|case|account|contact|file|task|correspondence)_id/;
  const rows = async () =>
    JSON.stringify(await app.sql("select n from caller_changes union all select count(*) from outbox"));

  const elsewhere = await app.company();
  const strangers = {
    colleague: await company.user({ teams: [await company.team({ name: "Other" })] }),
    stranger: elsewhere.admin,
  };
  const there = await signedIn(app, admin);
  for (const path of ["/app/cases/:case_id", ...lists.slice(-6)]) {
    assert.match((await there.get(at(path))).text, new RegExp(word), path);
  }
  for (const [name, actor] of Object.entries(strangers)) {
    const browser = await signedIn(app, actor);
    const leaks: string[] = [];
    const addresses = [...pages.map(({ path }) => path), ...lists, `/app/cases/new?contact_id=${contact_id}`];
    for (const path of addresses) {
      const { status, text } = await browser.get(at(path));
      if (text.includes(word)) leaks.push(`${path}: ${status} names it`);
      if (own.test(path.split("?", 1)[0]!) && status !== 404 && status !== 403) {
        leaks.push(`${path}: ${status}`);
      }
      const totals = [
        ...text.matchAll(/data-list="(leads|cases|contacts|accounts|tasks)" data-total="(\d+)"/g),
      ];
      if (totals.some(([, , total]) => total !== "0")) leaks.push(`${path}: counts it`);
    }
    const [, token] = /name="token" value="([^"]*)"/.exec((await browser.get("/app/me")).text)!;
    const before = await rows();
    for (const { path } of actions.filter(({ path }) => own.test(path))) {
      const fields = { token: token!, key: crypto.randomUUID(), note: "x", milestone_id: activity };
      const { status, text } = await browser.post(at(path), fields);
      if (![403, 404, 422].includes(status) || text.includes(word)) leaks.push(`POST ${path}: ${status}`);
    }
    assert.equal(await rows(), before, name);
    assert.deepEqual(leaks, [], name);
  }
});
