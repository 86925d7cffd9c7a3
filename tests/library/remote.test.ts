/** The file manager over a remote database, whose engine differs from that of a file, with a bucket. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { farDatabase } from "../support/far.ts";
import { startS3 } from "../support/s3.ts";
import { listShown, makeFolder, readRefusal, upload } from "./manager_world.ts";

Deno.test("folders move and are deleted, files are found, replaced, attached and counted, in a remote database", () =>
  farDatabase(async ({ env }) => {
    const s3 = await startS3();
    try {
      await using app = await startApp({ ...env, ...s3.env, FILE_QUOTA: "50" });
      const { admin, ...company } = await app.company();
      const colleague = await company.user();
      const outer = await makeFolder(admin, "Offers", { belongs_to: "company" });
      const inner = await makeFolder(admin, "2026", { belongs_to: "company", folder_id: outer.id });
      const own = await makeFolder(colleague, "Own", { belongs_to: "user" });
      const deep = await upload(admin, `company/${inner.id}`, "Größe.txt", "deep");
      const loose = await upload(admin, "company", "b.txt", "loose");
      const found = await admin.call("GET", "/v1/files?search=gros");
      assert.deepEqual(found.body.data.map(({ name }: { name: string }) => name), ["Größe.txt"]);
      assert.deepEqual(listShown(await colleague.call("GET", "/v1/filemanager")), [["Offers", "Own"], [
        "b.txt",
      ]]);

      const into = (folder_id: string | null) =>
        admin.call("PUT", `/v1/filemanager/folders/${outer.id}`, {
          name: "Offers",
          folder_id,
          belongs_to: "company",
        });
      assert.deepEqual(readRefusal(await into(inner.id)), [422, "folder_id excluded"]);
      const moved = await admin.call("PUT", `/v1/filemanager/folders/${inner.id}`, {
        name: "2027",
        belongs_to: "company",
        folder_id: null,
      });
      assert.deepEqual([moved.status, moved.body.folder_id], [200, null], moved.text);
      assert.equal((await into(inner.id)).status, 200);

      const data = new TextEncoder().encode("replaced").toBase64();
      assert.equal((await admin.call("PUT", `/v1/files/${deep.id}/replace`, { data })).status, 200);
      const usage = await admin.call("GET", "/v1/files/usage");
      assert.deepEqual(usage.body, { files: 2, bytes: 13, quota: 50 });
      const tooMuch = { name: "c", data: new Uint8Array(38).toBase64() };
      assert.deepEqual(readRefusal(await admin.call("POST", "/v1/files", tooMuch)), [422, "data max"]);

      const account = { fixed_fields: [{ name: "name", value: "Ada" }] };
      const { id } = (await admin.call("POST", "/v1/accounts", account)).body;
      const attached = `/v1/accounts/${id}/files`;
      assert.equal((await admin.call("POST", attached, { file_ids: [deep.id, loose.id] })).status, 204);
      assert.equal((await admin.call("GET", attached)).body.pagination.total, 2);

      const batch = "/v1/filemanager/files/batch";
      const foreign = { files: [loose.id, own.id] };
      assert.equal((await admin.call("DELETE", batch, foreign)).status, 404);
      assert.equal((await admin.call("DELETE", `/v1/filemanager/folders/${inner.id}`)).status, 204);
      await app.idle();
      assert.deepEqual(listShown(await admin.call("GET", "/v1/filemanager")), [[], ["b.txt"]]);
      assert.equal((await admin.call("GET", attached)).body.data[0].name, "b.txt");
      assert.equal((await admin.call("DELETE", batch, { files: [loose.id] })).status, 204);
      assert.deepEqual((await admin.call("GET", "/v1/files/usage")).body, { files: 0, bytes: 0, quota: 50 });
    } finally {
      await s3.close();
    }
  }));
