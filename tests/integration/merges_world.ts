/** Customers with everything that can name them, and what the API answers about them. */
import assert from "node:assert/strict";
import { fileRow } from "../library/library_world.ts";
import { nameFields, type World } from "../sales/leads_world.ts";
import type { Actor, Body, TestApp } from "../support/app.ts";

export async function createRecord(by: Actor, path: string, body: object, status = 201): Promise<Body> {
  const reply = await by.call("POST", path, body);
  assert.equal(reply.status, status, reply.text);
  return reply.body;
}

export async function readAnswer(by: Actor, path: string): Promise<Body> {
  const reply = await by.call("GET", path);
  assert.equal(reply.status, 200, `${path} ${reply.text}`);
  return reply.body;
}

export interface Customer {
  readonly account: Body;
  readonly contacts: Body[];
  readonly cases: Body[];
}

/** An account with contacts, cases, notes, tasks, files and an accepted and an open lead. */
export async function createCustomer(
  { app, admin, member, dealer, path, company, lead }: World,
  name: string,
  { b2c = false, people = 2 }: { readonly b2c?: boolean; readonly people?: number } = {},
): Promise<Customer> {
  const account = await createRecord(admin, "/v1/accounts", {
    b2c,
    team_id: dealer,
    external_id: `account ${name}`,
    fixed_fields: nameFields({ ...(b2c ? {} : { name }), city: `City of ${name}` }),
  });
  const contacts: Body[] = [];
  const cases: Body[] = [];
  for (let n = 0; n < people; n++) {
    const contact = await createRecord(admin, `/v1/accounts/${account.id}/contacts`, {
      external_id: `contact ${name} ${n}`,
      fixed_fields: nameFields({
        first_name: name,
        last_name: `Person ${n}`,
        email: `p${n}@${name.toLowerCase()}.example`,
      }),
      consent: { email: { consent_given: true }, call: { consent_given: false } },
    });
    contacts.push(contact);
    const opened = await createRecord(admin, "/v1/cases", {
      contact_id: contact.id,
      relations_path_id: path,
      team_id: dealer,
    });
    cases.push(opened);
    await createRecord(admin, "/v1/notes", {
      note: `About ${name}`,
      contact_id: contact.id,
      account_id: account.id,
    });
    await createRecord(admin, "/v1/notes", { note: `On the case of ${name}`, case_id: opened.id });
    await createRecord(admin, `/v1/cases/${opened.id}/tasks`, {
      type: "call",
      start_at: "2026-03-03 09:00:00",
      end_at: "2026-03-03 10:00:00",
    });
    await attachFile(app, admin, company.id, `accounts/${account.id}/contacts/${contact.id}`);
  }
  await attachFile(app, admin, company.id, `accounts/${account.id}`);
  await lead({ account_id: account.id, contact_id: contacts[0]?.id, account: undefined, contact: undefined });
  const accepted = await lead({
    account_id: account.id,
    contact_id: contacts[0]?.id,
    account: undefined,
    contact: undefined,
  });
  const reply = await member.call("PUT", `/v1/leads/${accepted.id}/accept`, {});
  assert.equal(reply.status, 200, reply.text);
  return { account, contacts, cases };
}

export async function attachFile(
  app: TestApp,
  by: Actor,
  company_id: number,
  record: string,
): Promise<string> {
  const file = await fileRow(app, { company_id, user_id: by.id });
  const reply = await by.call("POST", `/v1/${record}/files`, { file_ids: [file] });
  assert.equal(reply.status, 204, reply.text);
  return file;
}

/** All that the API answers about the customers of a company, without the times of changes. */
export async function readEverything(by: Actor): Promise<Body> {
  const all: Record<string, Body> = {};
  for (const list of ["accounts", "contacts", "cases", "leads", "notes", "tasks"]) {
    const { data, pagination } = await readAnswer(by, `/v1/${list}?per_page=100`);
    all[`${list} in order`] = data.map(({ id }: Body) => id);
    all[`${list} total`] = pagination.total;
    for (const { id } of data) {
      all[`${list} ${id}`] = list === "tasks"
        ? data.find((each: Body) => each.id === id)
        : await readAnswer(by, `/v1/${list}/${id}`);
      const of = list === "contacts" ? `accounts/${all[`contacts ${id}`].account.id}/contacts` : list;
      if (["accounts", "contacts", "cases"].includes(list)) {
        all[`files of ${id}`] = (await readAnswer(by, `/v1/${of}/${id}/files`)).data;
      }
      if (list === "accounts") {
        all[`contacts of ${id}`] = (await readAnswer(by, `/v1/accounts/${id}/contacts?sort=created_at`)).data;
      }
    }
  }
  for (const word of ["alpha", "beta"]) {
    for (const list of ["accounts", "contacts", "cases"]) {
      const { data } = await readAnswer(by, `/v1/${list}?search=${word}&sort=created_at&per_page=100`);
      all[`${list} ${word}`] = data.map(({ id }: Body) => id).toSorted();
    }
  }
  return JSON.parse(
    JSON.stringify(all, (key, value) => ["updated_at", "download_token"].includes(key) ? undefined : value),
  );
}
