import assert from "node:assert/strict";
import { removeObjects } from "../../src/db/objects.ts";
import { companyErasureWork } from "../../src/erase.ts";
import { runStaged } from "../../src/staged/run.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { makePng } from "../support/pictures.ts";
import { filesIn } from "../support/s3.ts";
import { attachRow, fileRow, folderRow } from "./library_world.ts";

const tables = [
  "files",
  "folders",
  "file_permissions",
  "attachments",
  "file_usage",
  "file_totals",
  "folder_contents",
  "files_search",
];

const countRows = (app: TestApp) =>
  app.sql(`select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`).join(", ")}`);

Deno.test("erasing a company erases its files, folders in folders, objects and published pictures; another's stay", async () => {
  await using app = await startApp({ ERASE_AFTER: "0" });
  const body = { name: "a.txt", data: btoa("a") };
  const neighbour = await app.company("Neighbour");
  await neighbour.admin.call("POST", "/v1/files", body);
  const before = await countRows(app);
  const company = await app.company();
  const of = { company_id: company.id, user_id: company.admin.id };
  let folder_id = await folderRow(app, { ...of, belongs_to: "company", belongs_to_id: company.id });
  for (let level = 1; level < 20; level++) folder_id = await folderRow(app, { ...of, folder_id });
  const permissions = [{ type: "company", value: company.id }] as const;
  const file_id = await fileRow(app, { ...of, folder_id, permissions });
  await attachRow(app, { entity_type: "lead", entity_id: "x", file_id, company_id: company.id });
  await company.admin.call("POST", "/v1/files", { ...body, permissions });
  const picture = { name: "a.png", data: makePng(9, 9).toBase64() };
  const { body: { id } } = await company.admin.call("POST", "/v1/files", picture);
  const published = await company.admin.call("POST", "/v1/filemanager/pictures", { file_id: id });
  assert.equal(published.status, 201, published.text);
  assert.equal(filesIn(`${app.folder}/files`).length, 4);
  assert.equal((await company.admin.call("DELETE", `/v1/companies/${company.id}`)).status, 204);
  await runStaged(app.deps, app.clock.now() + 60_000, [companyErasureWork]);
  await removeObjects(app.deps, app.clock.now() + 60_000);
  assert.deepEqual(await countRows(app), before);
  assert.equal(filesIn(`${app.folder}/files`).length, 1);
  assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
});
