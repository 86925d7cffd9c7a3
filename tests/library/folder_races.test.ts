/** Files and folders that change between the reads and the commit of a call. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
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
    // A folder without inner folders is deleted in one commit.
    const inner = what.endsWith("folder") ? await folderRow(app, { ...of, folder_id: folder }) : null;
    const file = await fileRow(app, { ...of, folder_id: folder });
    const below = what === "a folder" ? await fileRow(app, { ...of, folder_id: inner }) : file;
    const added = await fileRow(app, of);
    const reply = await callMeanwhile(
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

Deno.test("a file whose folder goes to others meanwhile is neither changed nor deleted by those who wrote it before", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const writer = await company.user({ type: "team_admin", teams: [team] });
  const of = { company_id: company.id, user_id: admin.id };
  const calls: [method: string, verb: string, body?: object][] = [
    ["PUT", "", { name: "changed" }],
    ["PUT", "/replace", { data: "" }],
    ["DELETE", ""],
  ];
  for (const [method, verb, body] of calls) {
    const folder_id = await folderRow(app, { ...of, belongs_to: "team", belongs_to_id: team });
    const file = await fileRow(app, { ...of, folder_id });
    const path = `/v1/files/${file}`;
    const away = async () => {
      const to = { name: "Away", belongs_to: "company", folder_id: null };
      const moved = await admin.call("PUT", `/v1/filemanager/folders/${folder_id}`, to);
      assert.equal(moved.status, 200, moved.text);
    };
    const what = `${method} ${verb}`;
    // The first batch of a replacement writes, and what is written there is checked again.
    if (verb === "/replace") await away();
    const reply = verb === "/replace"
      ? await writer.call(method, path + verb, body)
      : await callMeanwhile(app, writer, method, path + verb, away, body);
    assert.equal(reply.status, 403, what);
    assert.equal((await admin.call("GET", path)).body.name, "offer.pdf", what);
  }
});

Deno.test("a file that is replaced while it is deleted leaves no object", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body: { id } } = await admin.call("POST", "/v1/files", { name: "a", data: "AAAA" });
  const reply = await callMeanwhile(app, admin, "DELETE", `/v1/files/${id}`, async () => {
    assert.equal((await admin.call("PUT", `/v1/files/${id}/replace`, { data: "AAAB" })).status, 200);
  });
  assert.equal(reply.status, 204, await reply.text());
  assert.deepEqual(await app.sql("select key from objects where removed_from is null"), []);
});

Deno.test("a file whose folder goes to others meanwhile is attached by nobody who reads it no longer", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const member = await company.user();
  const account = (await admin.call("POST", "/v1/accounts", {
    team_id: null,
    fixed_fields: [{ name: "name", value: "Ada Ltd" }],
  })).body.id;
  const of = { company_id: company.id, user_id: admin.id };
  const folder_id = await folderRow(app, { ...of, belongs_to: "company", belongs_to_id: company.id });
  const file = await fileRow(app, { ...of, folder_id });
  const reply = await callMeanwhile(app, member, "POST", `/v1/accounts/${account}/files`, async () => {
    const own = { name: "Own", belongs_to: "user", folder_id: null };
    const moved = await admin.call("PUT", `/v1/filemanager/folders/${folder_id}`, own);
    assert.equal(moved.status, 200, moved.text);
  }, { file_ids: [file] });
  assert.equal(reply.status, 422, await reply.text());
  assert.equal((await member.call("GET", `/v1/files/${file}`)).status, 404);
});

Deno.test("what moves checks again where it is, where it goes and how deep, when these change meanwhile", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const writer = await company.user({ type: "team_admin", teams: [team] });
  const of = { company_id: company.id, user_id: admin.id };
  const inTeam = { belongs_to: "team", belongs_to_id: team } as const;
  const folderOfTeam = () => folderRow(app, { ...of, ...inTeam });
  const give = (folder: string) => async () => {
    const own = { name: "Own", belongs_to: "user", folder_id: null };
    const given = await admin.call("PUT", `/v1/filemanager/folders/${folder}`, own);
    assert.equal(given.status, 200, given.text);
  };
  const move = async (path: string, folder_id: string | null, other: () => Promise<unknown>) => {
    const body = { name: "moved", belongs_to: "team", folder_id };
    const reply = await callMeanwhile(app, writer, "PUT", `/v1/filemanager/${path}`, other, body);
    const problem = await reply.json();
    return [reply.status, problem.errors?.[0].code ?? problem.code];
  };
  const [from, to] = [await folderOfTeam(), await folderOfTeam()];
  const file = await fileRow(app, { ...of, folder_id: from });
  const inner = await folderRow(app, { ...of, folder_id: from });
  assert.deepEqual(await move(`files/${file}`, to, give(to)), [422, "exists"]);
  const next = await folderOfTeam();
  assert.deepEqual(await move(`folders/${inner}`, next, give(next)), [422, "exists"]);
  let deep = await folderOfTeam();
  for (let level = 2; level < 20; level++) deep = await folderRow(app, { ...of, folder_id: deep });
  const grow = () => folderRow(app, { ...of, folder_id: inner });
  assert.deepEqual(await move(`folders/${inner}`, deep, grow), [422, "max"]);
  assert.deepEqual(await move(`folders/${inner}`, null, give(from)), [404, "not_found"]);
});

Deno.test("a folder is created and deleted where the caller still may, and in the version that If-Match names", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const writer = await company.user({ type: "team_admin", teams: [team] });
  const of = { company_id: company.id, user_id: admin.id };
  const outer = await folderRow(app, { ...of, belongs_to: "team", belongs_to_id: team });
  const inner = await folderRow(app, { ...of, folder_id: outer });
  const path = `/v1/filemanager/folders/${inner}`;
  const rename = async (name: string) => {
    const renamed = await admin.call("PUT", path, { name, belongs_to: "team" });
    assert.equal(renamed.status, 200, renamed.text);
    return renamed.headers.get("etag")!;
  };
  const tag = await rename("a");
  const stale = await callMeanwhile(app, writer, "DELETE", path, () => rename("b"), undefined, undefined, {
    "If-Match": tag,
  });
  assert.equal(stale.status, 412);
  assert.equal((await writer.call("DELETE", path, undefined, { "If-Match": tag })).status, 412);
  const give = (belongs_to: string) => async () => {
    const given = await admin.call("PUT", `/v1/filemanager/folders/${outer}`, {
      name: "a",
      belongs_to,
      folder_id: null,
      ...(belongs_to === "team" ? { team_id: team } : {}),
    });
    assert.equal(given.status, 200, given.text);
  };
  assert.equal((await callMeanwhile(app, writer, "DELETE", path, give("company"))).status, 403);
  await give("team")();
  const body = { name: "new", belongs_to: "team", folder_id: outer };
  const made = await callMeanwhile(app, writer, "POST", "/v1/filemanager/folders", give("user"), body);
  assert.equal(made.status, 422);
  assert.deepEqual(await app.sql("select name from folders order by name"), [{ name: "a" }, { name: "b" }]);
});
