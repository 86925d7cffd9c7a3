/** Folders and files of deleted users, teams, groups and companies. */
import assert from "node:assert/strict";
import { companyErasureWork } from "../../src/erase.ts";
import { runJobs } from "../../src/jobs.ts";
import { sql } from "../../src/db/statements.ts";
import { describeUserReassignment } from "../../src/identity/users/reassignment.ts";
import { beginWork } from "../../src/staged/work.ts";
import { runStaged } from "../../src/staged/run.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { filesIn } from "../support/s3.ts";
import { fileRow, folderRow } from "./library_world.ts";

const readPlace = (app: TestApp, table: "files" | "folders", id: string) =>
  app.sql(`select user_id, folder_id, belongs_to, belongs_to_id, version from ${table} where id = ?`, id);

const lies = (user_id: number, belongs_to: string | null, belongs_to_id: number | null, version = 2) => [
  { user_id, folder_id: null, belongs_to, belongs_to_id, version },
];

Deno.test("folders and files of a deleted user become those of assign_to, wherever they are", async () => {
  await using app = await startApp();
  const { id: company_id, admin, ...company } = await app.company();
  const [user, successor] = [await company.user(), await company.user()];
  const of = { company_id, user_id: user.id };
  const own = { belongs_to: "user", belongs_to_id: user.id } as const;
  const shared = { belongs_to: "company", belongs_to_id: company_id } as const;
  const folder = await folderRow(app, { ...of, ...own });
  const common = await folderRow(app, { ...of, ...shared });
  const inFolder = await fileRow(app, { ...of, folder_id: folder });
  const atRoot = await fileRow(app, { ...of, ...own });
  const loose = await fileRow(app, of);
  const others = await fileRow(app, { ...of, user_id: admin.id, ...shared });
  const path = `/v1/companies/${company_id}/users/${user.id}`;
  assert.equal((await admin.call("DELETE", `${path}?assign_to=${successor.id}`)).status, 204);
  await app.idle();
  assert.deepEqual(await readPlace(app, "folders", folder), lies(successor.id, "user", successor.id));
  assert.deepEqual(await readPlace(app, "folders", common), lies(successor.id, "company", company_id));
  assert.deepEqual(await readPlace(app, "files", atRoot), lies(successor.id, "user", successor.id));
  assert.deepEqual(await readPlace(app, "files", loose), lies(successor.id, null, null));
  assert.deepEqual(await readPlace(app, "files", others), lies(admin.id, "company", company_id, 1));
  for (const id of [inFolder, atRoot, loose]) {
    assert.equal((await successor.call("GET", `/v1/files/${id}`)).status, 200);
  }
  assert.equal((await admin.call("GET", `/v1/files/${inFolder}`)).status, 404, "own folders stay own");
});

Deno.test("without assign_to own folders go, and admins read their files, which have no place", async () => {
  await using app = await startApp();
  const { id: company_id, admin, ...company } = await app.company();
  const user = await company.user();
  const of = { company_id, user_id: user.id };
  const own = { belongs_to: "user", belongs_to_id: user.id } as const;
  const top = await folderRow(app, { ...of, ...own });
  const empty = await folderRow(app, { ...of, ...own });
  const low = await folderRow(app, { ...of, folder_id: top });
  const common = await folderRow(app, { ...of, belongs_to: "company", belongs_to_id: company_id });
  const ownFiles = [
    await fileRow(app, { ...of, folder_id: low }),
    await fileRow(app, { ...of, folder_id: top }),
    await fileRow(app, { ...of, ...own }),
  ];
  const kept = await fileRow(app, { ...of, folder_id: common });
  const removed = await folderRow(app, { ...of, ...own, deleted_at: "2026-03-02 09:00:00" });
  const gone = await fileRow(app, { ...of, folder_id: removed });
  for (const id of ownFiles) assert.equal((await admin.call("GET", `/v1/files/${id}`)).status, 404);
  const path = `/v1/companies/${company_id}/users/${user.id}`;
  assert.equal((await admin.call("DELETE", path)).status, 204);
  await app.idle();
  for (const id of ownFiles) {
    assert.deepEqual(await readPlace(app, "files", id), lies(user.id, null, null));
    assert.equal((await admin.call("GET", `/v1/files/${id}`)).status, 200);
  }
  for (const id of [top, low, empty]) assert.deepEqual(await readPlace(app, "folders", id), []);
  assert.equal((await readPlace(app, "files", kept))[0]!.folder_id, common);
  assert.equal(
    (await admin.call("GET", `/v1/files/${gone}`)).status,
    404,
    "a folder in removal shows nothing",
  );
  assert.deepEqual(await app.sql("select * from staged_work"), []);
});

Deno.test("more than a step holds follows in further steps", async () => {
  await using app = await startApp();
  const { id: company_id, admin, ...company } = await app.company();
  const [user, gone, group] = [await company.user(), await company.user(), await company.group()];
  const many = 450;
  const rows = async (user_id: number, belongs_to: "user" | "group", belongs_to_id: number) => {
    const at = { company_id, user_id, belongs_to, belongs_to_id } as const;
    const [file, folder] = [await fileRow(app, at), await folderRow(app, at)];
    const copies = "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) ";
    await app.deps.db.write([{
      sql: `${copies} insert into files (id, company_id, user_id, name, name_key, type, size, digest, media,
        object_key, belongs_to, belongs_to_id, created_at, updated_at) select id || i, company_id, user_id, name,
        name_key, type, size, digest, media, object_key || i, belongs_to, belongs_to_id, created_at, updated_at
        from files, n where id = ?`,
      args: [many - 1, file],
    }, {
      sql:
        `${copies} insert into folders (id, company_id, user_id, name, name_key, folder_id, created_at, updated_at)
        select id || i, company_id, user_id, name, name_key, id, created_at, updated_at from folders, n where id = ?`,
      args: [many, folder],
    }]);
  };
  await rows(user.id, "user", user.id);
  await rows(gone.id, "user", gone.id);
  await rows(admin.id, "group", group);
  const users = `/v1/companies/${company_id}/users`;
  assert.equal((await admin.call("DELETE", `${users}/${gone.id}`)).status, 204);
  assert.equal((await admin.call("DELETE", `${users}/${user.id}?assign_to=${admin.id}`)).status, 204);
  assert.equal((await admin.call("DELETE", `/v1/groups/${group}`)).status, 204);
  await app.idle();
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  const left = "select user_id, belongs_to, belongs_to_id, count(*) as n from";
  assert.deepEqual(
    await app.sql(`${left} files group by 1, 2, 3 order by 1, 2`),
    [
      { user_id: admin.id, belongs_to: null, belongs_to_id: null, n: many },
      { user_id: admin.id, belongs_to: "user", belongs_to_id: admin.id, n: many },
      { user_id: gone.id, belongs_to: null, belongs_to_id: null, n: many },
    ].sort((one, other) => one.user_id - other.user_id),
  );
  assert.deepEqual(
    await app.sql(`${left} folders where belongs_to is not null group by 1, 2, 3 order by 2`),
    [
      { user_id: admin.id, belongs_to: "user", belongs_to_id: admin.id, n: 2 },
    ],
  );
  assert.deepEqual(await app.sql("select count(*) as n from folders"), [{ n: 2 * (many + 1) }]);
  assert.deepEqual(await app.sql("select * from staged_work"), []);
});

Deno.test("what is on its way to a successor who is deleted goes on as without one, or to the next", async () => {
  for (const hasNext of [false, true]) {
    await using app = await startApp();
    const { id: company_id, admin, ...company } = await app.company();
    const [user, successor, next] = [await company.user(), await company.user(), await company.user()];
    const own = { belongs_to: "user", belongs_to_id: user.id } as const;
    const folder = await folderRow(app, { company_id, user_id: user.id, ...own });
    const file = await fileRow(app, { company_id, user_id: user.id, folder_id: folder });
    // The state after the first of several steps.
    await app.deps.db.write([
      sql`update users set deleted_at = '2026-03-02 09:00:00' where id = ${user.id}`,
      beginWork({ at: "2026-03-02 09:00:00" }, describeUserReassignment([]), {
        company_id,
        subject: user.id,
        payload: { successor_id: successor.id },
      }),
    ]);
    const path = `/v1/companies/${company_id}/users/${successor.id}`;
    assert.equal((await admin.call("DELETE", hasNext ? `${path}?assign_to=${next.id}` : path)).status, 204);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    if (hasNext) assert.deepEqual(await readPlace(app, "folders", folder), lies(next.id, "user", next.id));
    else {
      assert.deepEqual(await readPlace(app, "folders", folder), []);
      assert.equal((await admin.call("GET", `/v1/files/${file}`)).status, 200);
    }
    assert.deepEqual(await app.sql("select * from staged_work"), []);
  }
});

Deno.test("folders of a deleted team go to assign_to's, else to the user who deletes it, as those of a deleted group", async () => {
  await using app = await startApp();
  const { id: company_id, admin, ...company } = await app.company();
  const [one, two, successor] = [await company.team(), await company.team(), await company.team()];
  const group = await company.group();
  const of = { company_id, user_id: admin.id };
  const roots = [["team", one], ["team", two], ["group", group]] as const;
  const made = await Promise.all(roots.map(async ([belongs_to, belongs_to_id]) => {
    const root = { ...of, belongs_to, belongs_to_id };
    const permissions = [{ type: belongs_to, value: belongs_to_id }, {
      type: "team",
      value: successor,
    }] as const;
    const folder = await folderRow(app, root);
    return { folder, file: await fileRow(app, root), shared: await fileRow(app, { ...of, permissions }) };
  }));
  assert.equal((await admin.call("DELETE", `/v1/teams/${one}?assign_to=${successor}`)).status, 204);
  assert.equal((await admin.call("DELETE", `/v1/teams/${two}`)).status, 204);
  assert.equal((await admin.call("DELETE", `/v1/groups/${group}`)).status, 204);
  await app.idle();
  const expected = [["team", successor], ["user", admin.id], ["user", admin.id]] as const;
  for (const [index, { folder, file, shared }] of made.entries()) {
    const [belongs_to, id] = expected[index]!;
    assert.deepEqual(await readPlace(app, "folders", folder), lies(admin.id, belongs_to, id));
    const isMoved = belongs_to === "team";
    assert.deepEqual(
      await readPlace(app, "files", file),
      isMoved ? lies(admin.id, belongs_to, id) : lies(admin.id, null, null),
    );
    const { body } = await admin.call("GET", `/v1/files/${shared}`);
    assert.deepEqual(
      body.permissions,
      [{ type: "team", value: successor }],
      "permissions of the deleted end",
    );
  }
  assert.deepEqual(await app.sql("select * from staged_work"), []);
});

Deno.test("erasing a company erases its folders, its files and their objects, not those of another", async () => {
  await using app = await startApp({ ERASE_AFTER: "0" });
  const { id: company_id, admin } = await app.company();
  const other = await app.company("Other");
  const upload = { name: "a.txt", data: "YWJj" };
  assert.equal((await other.admin.call("POST", "/v1/files", upload)).status, 201);
  const kept = filesIn(`${app.folder}/files`);
  const { body } = await admin.call("POST", "/v1/files", {
    ...upload,
    permissions: [{ type: "company", value: company_id }],
  });
  const of = { company_id, user_id: admin.id };
  const top = await folderRow(app, { ...of, belongs_to: "company", belongs_to_id: company_id });
  const low = await folderRow(app, { ...of, folder_id: top });
  await fileRow(app, { ...of, folder_id: low });
  assert.equal((await admin.call("DELETE", `/v1/companies/${company_id}`)).status, 204);
  await app.idle();
  app.clock.move(60_000);
  assert.ok(await runStaged(app.deps, app.clock.now(), [companyErasureWork]) > 0);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  for (const table of ["files", "folders", "file_usage", "folder_contents", "file_permissions"]) {
    const [found] = await app.sql(`select count(*) as n from ${table} where company_id = ?`, company_id);
    assert.equal(found!.n, 0, table);
  }
  assert.deepEqual(filesIn(`${app.folder}/files`), kept, body.id);
});
