/** Records and files that are being deleted: neither shows a file any longer. */
import assert from "node:assert/strict";
import { sql } from "../../src/db/statements.ts";
import type { Statement } from "../../src/platform/database/database.ts";
import { send, startApp } from "../support/app.ts";
import { makeSales, nameFields } from "../sales/leads_world.ts";
import { attachRow, fileRow, folderRow } from "./library_world.ts";

Deno.test("a record that is being deleted, and a lead that is hidden or expired, shows its files to nobody", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { company, admin, member, path } = sales;
  const create = async (at: string, body: object): Promise<string> => {
    const reply = await admin.call("POST", at, body);
    assert.equal(reply.status, 201, reply.text);
    return reply.body.id;
  };
  const account = await create("/v1/accounts", {
    team_id: null,
    fixed_fields: nameFields({ name: "Ada Ltd" }),
  });
  const contact = await create(`/v1/accounts/${account}/contacts`, {
    fixed_fields: nameFields({ last_name: "Lovelace" }),
  });
  const sale = await create("/v1/cases", { contact_id: contact, relations_path_id: path, team_id: null });
  const lead = async () => (await sales.lead()).id as string;
  const run = (statement: Statement) => () => app.deps.db.write([statement]);
  const removing = (kind: string, subject: string) =>
    run(sql`insert into staged_work (company_id, kind, subject, created_at)
      values (${company.id}, ${kind}, ${subject}, '2026-03-02 09:00:00')`);
  const [hidden, expired] = [await lead(), await lead()];
  const ends: [type: "account" | "contact" | "case" | "lead", id: string, end: () => Promise<unknown>][] = [
    ["lead", hidden, run(sql`update leads set hidden = 1 where id = ${hidden}`)],
    ["lead", expired, run(sql`update leads set expires_at = '2026-03-02 09:00:00' where id = ${expired}`)],
    ["case", sale, removing("case_removal", sale)],
    ["contact", contact, removing("account_removal", account)],
    ["account", account, () => Promise.resolve()],
  ];
  const attached = new Map<string, string>();
  for (const [entity_type, entity_id] of ends) {
    const file_id = await fileRow(app, { company_id: company.id, user_id: admin.id });
    await attachRow(app, { entity_type, entity_id, file_id, company_id: company.id });
    attached.set(entity_id, file_id);
  }
  const status = async (id: string) => (await member.call("GET", `/v1/files/${attached.get(id)}`)).status;
  for (const [type, id] of ends) assert.equal(await status(id), 200, type);
  for (const [type, id, end] of ends) {
    await end();
    assert.equal(await status(id), 404, type);
  }
});

Deno.test("the link and the public address of a file end when a folder above it is being removed", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const inCompany = { belongs_to: "company" };
  const folder = (await admin.call("POST", "/v1/filemanager/folders", { name: "a", ...inCompany })).body.id;
  const inner = await folderRow(app, { company_id: company.id, user_id: admin.id, folder_id: folder });
  const { body: file } = await admin.call("POST", "/v1/files", { name: "a", data: "AAAA" });
  await admin.call("POST", `/v1/folders/${inner}/files`, { file_ids: [file.id] });
  const open = await admin.call("PUT", `/v1/files/${file.id}`, { public: true });
  assert.equal(open.status, 200, open.text);
  const link = (await admin.call("GET", `/v1/files/${file.id}/download`)).headers.get("location")!;
  const addresses = [
    link,
    `${app.url}/v1/files/${file.id}/public`,
    `${app.url}/v1/files/download/${file.download_token}`,
  ];
  const statuses = async () => {
    const replies = await Promise.all(addresses.map((address) => send(address, "GET", null)));
    return replies.map(({ status }) => status);
  };
  assert.deepEqual(await statuses(), [200, 303, 303]);
  await app.deps.db.write([sql`update folders set deleted_at = '2026-03-02 09:00:00' where id = ${folder}`]);
  assert.deepEqual(await statuses(), [404, 404, 404]);
});

Deno.test("a record shows no file of a folder that is being removed", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const of = { company_id: company.id, user_id: admin.id };
  const account = (await admin.call("POST", "/v1/accounts", {
    team_id: null,
    fixed_fields: nameFields({ name: "Ada Ltd" }),
  })).body.id;
  const folder = await folderRow(app, {
    ...of,
    belongs_to: "company",
    belongs_to_id: company.id,
    deleted_at: "2026-03-02 09:00:00",
  });
  const inner = await folderRow(app, { ...of, folder_id: folder });
  const record = { entity_type: "account", entity_id: account, company_id: company.id } as const;
  const gone = await fileRow(app, { ...of, folder_id: inner });
  const kept = await fileRow(app, of);
  for (const file_id of [gone, kept]) await attachRow(app, { ...record, file_id });
  const files = `/v1/accounts/${account}/files`;
  const { body } = await admin.call("GET", files);
  assert.deepEqual(body.data.map(({ id }: { id: string }) => id), [kept]);
  assert.equal(body.pagination.total, 1);
  for (const path of [`${files}/${gone}`, `${files}/${gone}/download`]) {
    assert.equal((await admin.call("GET", path)).status, 404, path);
  }
});
