import assert from "node:assert/strict";
import { crm } from "../../src/cli/crm.ts";
import { announceObjects } from "../../src/db/objects.ts";
import { sql } from "../../src/db/statements.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { startS3 } from "../support/s3.ts";

async function check(app: TestApp, env: Record<string, string>, ...options: string[]) {
  const [out, error]: [string[], string[]] = [[], []];
  const code = await crm(["files", "check", ...options], {
    DATABASE_URL: `file:${app.file}`,
    LOG_LEVEL: "off",
    ...env,
  }, {
    out: (line) => out.push(line),
    error: (line) => error.push(line),
    ask: () => Promise.reject(new Error("asks for nothing")),
  });
  return { code, out, error };
}

/** Two files, of which one is attached and published. */
async function withFiles(app: TestApp) {
  const company = await app.company();
  const { admin } = company;
  const upload = async (name: string) =>
    (await admin.call("POST", "/v1/files", { name, data: "SGVsbG8sIHdvcmxkIQo=" })).body.id as string;
  const [one, other] = [await upload("one.txt"), await upload("other.txt")];
  const account = await admin.call("POST", "/v1/accounts", {
    fixed_fields: [{ name: "name", value: "Ada" }],
  });
  await admin.call("POST", `/v1/accounts/${account.body.id}/files`, { file_ids: [one, other] });
  const key = async (id: string) =>
    (await app.sql("select object_key from files where id = ?", id))[0]!.object_key as string;
  return {
    company,
    admin,
    one,
    other,
    account: account.body.id,
    keys: [await key(one), await key(other)] as const,
  };
}

const inOrder = { code: 0, out: ["All files are in order."], error: [] };

for (const place of ["folder", "bucket"] as const) {
  Deno.test(`in a ${place}, files check finds and mends stray and missing objects`, async () => {
    const s3 = place === "bucket" ? await startS3() : null;
    try {
      await using app = await startApp(s3?.env);
      const env = s3?.env ?? { STORAGE_URL: `file:${app.folder}/files` };
      const { admin, one, other, account, keys } = await withFiles(app);
      const { storage, db } = app.deps;
      // Objects on their way: announced, and either not stored or not yet used by a file.
      const announced = ["files/on-its-way", "files/stored"].map((key) => ({
        key,
        type: "text/plain",
        bytes: new Uint8Array(3),
      }));
      const moment = { now: app.clock.now(), at: "2026-03-02 09:00:00" };
      await db.write([announceObjects(moment, admin.companyId, announced, sql`select 1`)]);
      await storage.put("files/stored", new Uint8Array(3), "text/plain");
      assert.deepEqual(await check(app, env, "--digests"), inOrder);

      await storage.remove(keys[0]);
      await storage.put("files/astray", new Uint8Array(1), "text/plain");
      await storage.put("pictures/astray", new Uint8Array(1), "image/png");
      await storage.put("others/not-ours", new Uint8Array(1), "image/png");
      const found = await check(app, env);
      assert.equal(found.code, 1);
      assert.deepEqual(found.error, ["3 differences."]);
      assert.deepEqual(found.out.toSorted(), [
        `missing  ${keys[0]}  file ${one} of company ${admin.companyId} (one.txt)`,
        "stray  files/astray",
        "stray  pictures/astray",
      ]);
      assert.equal((await admin.call("GET", `/v1/files/${one}`)).status, 200);

      const mended = await check(app, env, "--mend");
      assert.deepEqual([mended.code, mended.error, mended.out.length], [0, [], 4]);
      assert.equal((await admin.call("GET", `/v1/files/${one}`)).status, 404);
      const left = await admin.call("GET", `/v1/accounts/${account}/files`);
      assert.deepEqual(left.body.data.map(({ id }: { id: string }) => id), [other]);
      assert.equal((await admin.call("GET", "/v1/files/usage")).body.files, 1);
      assert.deepEqual(await check(app, env), inOrder);
      const foreign = await storage.get("others/not-ours");
      await foreign!.body.cancel();
    } finally {
      await s3?.close();
    }
  });
}

Deno.test("files check reports damaged content, which it does not mend", async () => {
  await using app = await startApp();
  const env = { STORAGE_URL: `file:${app.folder}/files` };
  const { one, other, keys } = await withFiles(app);
  await app.deps.storage.put(keys[0], new TextEncoder().encode("short"), "text/plain");
  await app.deps.storage.put(keys[1], new TextEncoder().encode("Hello, wOrld!\n"), "text/plain");
  const bySize = await check(app, env, "--mend");
  assert.deepEqual([bySize.code, bySize.out.length], [1, 1]);
  assert.match(bySize.out[0]!, new RegExp(`^damaged  ${keys[0]}  file ${one}`));
  const byDigest = await check(app, env, "--mend", "--digests");
  assert.deepEqual(byDigest.error, ["2 differences."]);
  assert.ok(
    byDigest.out.some((line) => line.includes(`damaged  ${keys[1]}  file ${other}`)),
    byDigest.out.join(),
  );
});

Deno.test("files check finds pictures and records whose object has no row, and loses no content", async () => {
  await using app = await startApp();
  const env = { STORAGE_URL: `file:${app.folder}/files` };
  const { admin, company, one, keys } = await withFiles(app);
  await app.deps.db.write([
    sql`update users set profile_picture = 'pictures/none' where id = ${admin.id}`,
    sql`update companies set logo_1 = 'pictures/no-logo' where id = ${company.id}`,
    sql`delete from objects where key = ${keys[0]}`,
  ]);
  const pictures = [
    `missing  pictures/none  picture of user ${admin.id} of company ${company.id}`,
    `missing  pictures/no-logo  logo 1 of company ${company.id}`,
  ];
  const stray = `stray  ${keys[0]}  file ${one} of company ${company.id} (one.txt)`;
  assert.deepEqual((await check(app, env)).out, [stray, ...pictures]);
  const mended = await check(app, env, "--mend");
  assert.deepEqual(mended.out, [
    ...[stray, ...pictures].map((line) => `${line}  mended`),
    "All differences are mended.",
  ]);
  assert.deepEqual(await check(app, env, "--digests"), inOrder);
  assert.equal(
    (await fetch((await admin.call("GET", `/v1/files/${one}/download`)).headers.get("location")!)).status,
    200,
  );
});
