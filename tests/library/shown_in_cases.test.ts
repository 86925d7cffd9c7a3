/** A case shows its files: it changes, with `case_updated`, when one of them does. */
import assert from "node:assert/strict";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { fill } from "../sweep/place.ts";
import { attachRow, fileRow, folderRow } from "./library_world.ts";

/** Bodies of `case_updated` since the last call. */
function followEvents(app: TestApp): () => Promise<Body[]> {
  let seen = 0;
  return async () => {
    await app.idle();
    const rows = await app.sql(
      "select rowid as n, body from outbox where event_name = 'case_updated' and rowid > ? order by rowid",
      seen,
    );
    seen = Number(rows.at(-1)?.n ?? seen);
    return rows.map(({ body }) => JSON.parse(body as string));
  };
}

async function world(app: TestApp) {
  const place = await fill(app);
  const { admin, company } = place.world;
  const of = { company_id: company.id, user_id: admin.id };
  const sale: string = place.ids.case_id;
  const attachFile = async (
    given: Partial<Parameters<typeof fileRow>[1]> = {},
  ) => {
    const id = await fileRow(app, { ...of, ...given });
    await attachRow(app, {
      entity_type: "case",
      entity_id: sale,
      file_id: id,
      company_id: company.id,
    });
    return id;
  };
  return { place, admin, company, of, sale, attached: attachFile };
}

Deno.test("each change of a file changes the cases that show it, with one case_updated for each", async () => {
  await using app = await startApp();
  const { admin, company, of, sale, attached } = await world(app);
  const events = followEvents(app);
  await events();
  const inCompany = {
    belongs_to: "company",
    belongs_to_id: company.id,
  } as const;
  const id = await attached();
  const folder = await folderRow(app, { ...of, ...inCompany });
  const below = await folderRow(app, { ...of, folder_id: folder });
  const other = await attached({ folder_id: below });
  const at = `/v1/files/${id}`;
  const managed = `/v1/filemanager/files/${id}`;
  const body = { file_ids: [id] };
  type Shown = Record<string, unknown> | null;
  const calls: [
    method: string,
    path: string,
    body: object | undefined,
    file: string,
    shown: Shown,
  ][] = [
    ["PUT", at, { name: "new.txt" }, id, { name: "new.txt" }],
    ["PUT", at, { permissions: [{ type: "company", value: company.id }] }, id, {
      permissions: [{ type: "company", value: company.id }],
    }],
    ["PUT", `${at}/replace`, { data: "SGVsbG8h" }, id, { size: 6 }],
    ["POST", `/v1/folders/company:${company.id}/files`, body, id, {
      belongs_to: "company",
    }],
    [
      "PUT",
      managed,
      { name: "moved.txt", belongs_to: "user", folder_id: null },
      id,
      {
        name: "moved.txt",
        belongs_to: "user",
      },
    ],
    ["DELETE", `/v1/folders/user:${admin.id}/files`, body, id, {
      belongs_to: null,
    }],
    ["DELETE", at, undefined, id, null],
    [
      "PUT",
      `/v1/filemanager/folders/${folder}`,
      { name: "x", belongs_to: "user", folder_id: null },
      other,
      {
        belongs_to: "user",
      },
    ],
    ["DELETE", `/v1/filemanager/folders/${folder}`, undefined, other, null],
  ];
  for (const [method, path, sent, file, shown] of calls) {
    const before = (await admin.call("GET", `/v1/cases/${sale}`)).headers.get(
      "etag",
    );
    app.clock.move(1_000);
    const reply = await admin.call(method, path, sent);
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
    const found = await events();
    assert.deepEqual(
      found.map((event) => event.id),
      [sale],
      `${method} ${path}`,
    );
    const now = await admin.call("GET", `/v1/cases/${sale}`);
    assert.notEqual(now.headers.get("etag"), before, `${method} ${path}`);
    for (const { attachments } of [found[0], now.body]) {
      const [of] = attachments.filter((each: Body) => each.id === file);
      if (shown === null) assert.equal(of, undefined, `${method} ${path}`);
      else assert.deepEqual({ ...of, ...shown }, of, `${method} ${path}`);
    }
  }
  for (const path of [`/v1/filemanager/files/batch`, "one"]) {
    const file = await attached(inCompany);
    const batch = path !== "one";
    const reply = await admin.call(
      "DELETE",
      batch ? path : `/v1/filemanager/files/${file}`,
      batch ? { files: [file] } : undefined,
    );
    assert.equal(reply.status, 204, reply.text);
    assert.deepEqual((await events()).length, 1, path);
  }
  const lone = await fileRow(app, { ...of, ...inCompany });
  assert.equal(
    (await admin.call("PUT", `/v1/files/${lone}`, { name: "lone" })).status,
    200,
  );
  assert.equal((await admin.call("DELETE", `/v1/files/${lone}`)).status, 204);
  assert.deepEqual(await events(), [], "no case shows it");
  assert.deepEqual(await app.sql("select kind from staged_work"), []);
});

Deno.test("a file that more than 50 newer ones hide changes no case; a file of many cases changes all in steps", async () => {
  await using app = await startApp();
  const { place, admin, of, sale, attached } = await world(app);
  const events = followEvents(app);
  const hidden = await attached();
  app.clock.move(1_000);
  for (let n = 0; n < 49; n++) await attached();
  await events();
  assert.equal(
    (await admin.call("PUT", `/v1/files/${hidden}`, { name: "a" })).status,
    200,
  );
  assert.equal((await events()).length, 1);
  await attached();
  assert.equal(
    (await admin.call("PUT", `/v1/files/${hidden}`, { name: "b" })).status,
    200,
  );
  assert.deepEqual(await events(), []);

  const { contact_id, relations_path_id } = place.ids;
  const cases = [sale];
  for (let n = 0; n < 44; n++) {
    cases.push(
      (await place.make("/v1/cases", { contact_id, relations_path_id })).id,
    );
  }
  const file = await fileRow(app, of);
  for (const entity_id of cases) {
    await attachRow(app, {
      entity_type: "case",
      entity_id,
      file_id: file,
      company_id: of.company_id,
    });
  }
  await events();
  assert.equal((await admin.call("DELETE", `/v1/files/${file}`)).status, 204);
  assert.deepEqual(
    (await events()).map((event) => event.id).sort(),
    cases.sort(),
  );
  assert.deepEqual(await app.sql("select kind from staged_work"), []);
});
