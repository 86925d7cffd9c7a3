/** Folders that change between the reads and the commit of a call. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { meanwhile } from "../support/race.ts";
import { fileRow, folderRow } from "./library_world.ts";

Deno.test("a folder that is deleted takes nothing with it that leaves it meanwhile, and all that is put into it", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const of = { company_id: company.id, user_id: admin.id };
  const inCompany = {
    belongs_to: "company",
    belongs_to_id: company.id,
  } as const;
  const other = await folderRow(app, { ...of, ...inCompany, name: "Other" });
  const moved = { name: "moved", belongs_to: "company", folder_id: other };
  for (const what of ["a file", "a folder", "an empty folder", "new"]) {
    const folder = await folderRow(app, { ...of, ...inCompany });
    // Without folders in it, it goes in one commit.
    const inner = what.endsWith("folder") ? await folderRow(app, { ...of, folder_id: folder }) : null;
    const file = await fileRow(app, { ...of, folder_id: folder });
    const below = what === "a folder" ? await fileRow(app, { ...of, folder_id: inner }) : file;
    const added = await fileRow(app, of);
    const reply = await meanwhile(
      app,
      admin,
      "DELETE",
      `/v1/filemanager/folders/${folder}`,
      async () => {
        const move = what === "new"
          ? await admin.call("POST", `/v1/folders/${folder}/files`, {
            file_ids: [added],
          })
          : what === "a file"
          ? await admin.call("PUT", `/v1/filemanager/files/${file}`, moved)
          : await admin.call("PUT", `/v1/filemanager/folders/${inner}`, moved);
        assert.ok(move.status < 300, move.text);
      },
    );
    assert.equal(reply.status, 204, await reply.text());
    const exists = async (path: string) => (await admin.call("GET", path)).status !== 404;
    const left = {
      folder: await exists(`/v1/filemanager/folders/${folder}`),
      inner: inner !== null && await exists(`/v1/filemanager/folders/${inner}`),
      file: await exists(`/v1/files/${file}`),
      below: await exists(`/v1/files/${below}`),
      added: await exists(`/v1/files/${added}`),
    };
    assert.deepEqual(left, {
      folder: false,
      inner: inner !== null,
      file: what === "a file",
      below: what === "a folder" || what === "a file",
      added: what !== "new",
    }, what);
  }
});
