import assert from "node:assert/strict";
import { makeFolderStorage } from "../../../src/platform/storage/folder.ts";
import { StorageFull } from "../../../src/platform/storage/storage.ts";
import { startApp } from "../../support/app.ts";
import { inFolder } from "../../support/engines.ts";

Deno.test("a folder without room is full, and keeps nothing of the object", () =>
  inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/files`);
    // Every write to this device fails as on a full disk.
    await Deno.symlink("/dev/full", `${folder}/files/key.part`);
    const storage = makeFolderStorage(folder);
    await assert.rejects(storage.put("files/key", new Uint8Array(10), "text/plain"), StorageFull);
    assert.equal(await storage.get("files/key"), null);
  }));

Deno.test("an upload to a full storage is 503 and says so", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  app.deps.storage.put = () => Promise.reject(new StorageFull("the folder: ENOSPC"));
  const { status, body, headers } = await admin.call("POST", "/v1/files", { name: "a.txt", data: btoa("x") });
  assert.deepEqual([status, body.code], [503, "unavailable"]);
  assert.equal(body.detail, "The storage is full; nothing was changed. Try again later.");
  assert.match(headers.get("retry-after")!, /^\d+$/);
  assert.equal(app.log.entries.filter(({ event }) => event === "storage_full").length, 1);
});
