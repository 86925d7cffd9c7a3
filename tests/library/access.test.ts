/** Who may read and change a file, by each way to see it. */
import assert from "node:assert/strict";
import { formatTimestamp } from "../../src/core/time.ts";
import { readMemberRow, selectCallerByToken } from "../../src/db/caller_guard.ts";
import {
  mayChange,
  mayRead,
  type Permission,
  readFileRow,
  selectChangeableId,
  selectFileById,
} from "../../src/library/access.ts";
import { isWritable, mayWrite, type Place } from "../../src/library/place.ts";
import { sql } from "../../src/db/statements.ts";
import type { FileRow } from "../../src/library/table.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { type Actor, startApp, type TestApp } from "../support/app.ts";
import { farDatabase } from "../support/far.ts";
import { attachRow, fileRow, folderRow } from "./library_world.ts";

/** The callers who may read or change the file. All others may do neither. */
type Expected = Readonly<Record<string, "reads" | "changes">>;

/** Callers by name: of the team, of another team in its group, of another group, of another company. */
async function people(app: TestApp) {
  const company = await app.company();
  const [group, other] = [await company.group("One"), await company.group("Two")];
  const team = await company.team({ group_id: group });
  const beside = await company.team({ group_id: group });
  const far = await company.team({ group_id: other });
  const owner = await company.user({ teams: [far] });
  const actors: Record<string, Actor> = {
    owner,
    admin: company.admin,
    member: await company.user({ teams: [team] }),
    team_admin: await company.user({ type: "team_admin", teams: [team] }),
    beside: await company.user({ teams: [beside] }),
    beside_admin: await company.user({ type: "team_admin", teams: [beside] }),
    group_admin: await company.user({ type: "group_admin", teams: [beside] }),
    far: await company.user({ teams: [far] }),
    far_admin: await company.user({ type: "group_admin", teams: [far] }),
    stranger: (await app.company("Other")).admin,
  };
  return { company, group, other, team, beside, far, owner, actors };
}

type World = Awaited<ReturnType<typeof people>>;

/** Asserts what each caller may do with the file: by the rules themselves, and by calls. */
async function assertAccess(app: TestApp, { actors }: World, id: string, expected: Expected, what: string) {
  const found: Record<string, string> = {};
  const answered: Record<string, readonly number[]> = {};
  for (const [name, actor] of Object.entries(actors)) {
    const [caller] = await app.deps.db.read([selectCallerByToken(sha256(actor.token), app.clock.now())]);
    const member = readMemberRow(caller!.rows[0]!);
    const reader = { member, at: formatTimestamp(app.clock.now()) };
    const [result, changeable] = await app.deps.db.read([
      selectFileById(reader, id),
      selectChangeableId(reader, id),
    ]);
    const row = result!.rows[0];
    const may = row && mayRead(member, readFileRow(row)) ? mayChange(member, readFileRow(row)) : null;
    assert.equal(changeable!.rows.length === 1, may === true, `${what}: ${name}, in SQL`);
    if (may !== null) found[name] = may ? "changes" : "reads";
    answered[name] = await readStatuses(actor, id);
  }
  assert.deepEqual(found, expected, what);
  const none = Object.keys(actors).map((name) => [name, statuses.nothing]);
  const some = Object.entries(expected).map(([name, access]) => [name, statuses[access]]);
  assert.deepEqual(answered, { ...Object.fromEntries(none), ...Object.fromEntries(some) }, what);
}

const statuses = {
  nothing: [404, 404, 404, 404, 404],
  reads: [200, 303, 403, 403, 403],
  // The calls name another version, so nothing changes.
  changes: [200, 303, 412, 412, 412],
} as const;

/** Returns the statuses of reading, linking, changing, replacing and deleting. */
async function readStatuses({ call }: Actor, id: string): Promise<number[]> {
  const other = { "If-Match": '"another version"' };
  const path = `/v1/files/${id}`;
  const replies = [
    await call("GET", path),
    await call("GET", `${path}/download`),
    await call("PUT", path, { name: "changed" }, other),
    await call("PUT", `${path}/replace`, { data: "" }, other),
    await call("DELETE", path, undefined, other),
  ];
  return replies.map(({ status }) => status);
}

const everybody = {
  member: "reads",
  team_admin: "reads",
  beside: "reads",
  beside_admin: "reads",
  group_admin: "reads",
  far: "reads",
  far_admin: "reads",
} as const;
const alone = { owner: "changes", admin: "changes" } as const;

Deno.test("a file of no place is read by its owner and admins, its permissions and, when public, all colleagues", async () => {
  await using app = await startApp();
  const world = await people(app);
  const { company, group, team, owner } = world;
  const bare = { company_id: company.id, user_id: owner.id };
  const ownRoot = { belongs_to: "user", belongs_to_id: owner.id } as const;
  const cases: [string, Partial<FileRow> & { permissions?: Permission[] }, Expected][] = [
    ["bare", {}, alone],
    ["public", { public: 1 }, { ...alone, ...everybody }],
    ["company", { permissions: [{ type: "company", value: company.id }] }, { ...alone, ...everybody }],
    ["team", { permissions: [{ type: "team", value: team }] }, {
      ...alone,
      member: "reads",
      team_admin: "reads",
    }],
    ["group", { permissions: [{ type: "group", value: group }] }, {
      ...alone,
      member: "reads",
      team_admin: "reads",
      beside: "reads",
      beside_admin: "reads",
      group_admin: "reads",
    }],
    ["in own root, public", { ...ownRoot, public: 1 }, { ...alone, ...everybody }],
    ["in own root, company", { ...ownRoot, permissions: [{ type: "company", value: company.id }] }, {
      ...alone,
      ...everybody,
    }],
    ["in own root, team", { ...ownRoot, permissions: [{ type: "team", value: team }] }, {
      owner: "changes",
      member: "reads",
      team_admin: "reads",
    }],
    ["another company's id", { permissions: [{ type: "company", value: company.id + 1 }] }, alone],
  ];
  for (const [what, given, expected] of cases) {
    await assertAccess(app, world, await fileRow(app, { ...bare, ...given }), expected, what);
  }
});

/** Returns the possible owners of a root or of its topmost folder, each with the access that it gives. */
function listPlaces({ company, group, team, actors }: World): [FileRow["belongs_to"], number, Expected][] {
  return [
    ["company", company.id, { ...alone, ...everybody }],
    ["group", group, {
      ...alone,
      member: "reads",
      team_admin: "reads",
      beside: "reads",
      beside_admin: "reads",
      group_admin: "changes",
    }],
    ["team", team, { ...alone, member: "reads", team_admin: "changes", group_admin: "changes" }],
    ["user", actors.member!.id, { owner: "changes", member: "changes" }],
  ];
}

Deno.test("a file in the file manager is read and changed by what its root belongs to, at any depth", async () => {
  await using app = await startApp();
  const world = await people(app);
  const bare = { company_id: world.company.id, user_id: world.owner.id };
  for (const [belongs_to, belongs_to_id, expected] of listPlaces(world)) {
    const root = { ...bare, belongs_to, belongs_to_id };
    await assertAccess(app, world, await fileRow(app, root), expected, `${belongs_to}, at the root`);
    let folder_id = await folderRow(app, root);
    for (let level = 1; level < 20; level++) folder_id = await folderRow(app, { ...bare, folder_id });
    const deep = await fileRow(app, { ...bare, folder_id });
    await assertAccess(app, world, deep, expected, `${belongs_to}, in a folder of level 20`);
  }
});

Deno.test("a file in a folder that is being removed is read by nobody, however it is shared", async () => {
  await using app = await startApp();
  const world = await people(app);
  const { company, owner } = world;
  const bare = { company_id: company.id, user_id: owner.id };
  const top = await folderRow(app, {
    ...bare,
    belongs_to: "company",
    belongs_to_id: company.id,
    deleted_at: "2026-03-02 09:00:00",
  });
  const folder_id = await folderRow(app, { ...bare, folder_id: top });
  const permissions: Permission[] = [{ type: "company", value: company.id }];
  const file = await fileRow(app, { ...bare, folder_id, public: 1, permissions });
  await assertAccess(app, world, file, {}, "in removal");
});

Deno.test("an attached file is read by those who see the record, on a file and far away", async () => {
  await farDatabase(async ({ env }) => {
    for (const settings of [{}, env]) {
      await using app = await startApp(settings);
      const world = await people(app);
      const { company, team, owner } = world;
      const body = { fixed_fields: [{ name: "name", value: "Analytical Engines" }], team_id: team };
      const account = (await company.admin.call("POST", "/v1/accounts", body)).body.id;
      const of = { company_id: company.id, user_id: owner.id };
      const attached = await fileRow(app, of);
      await attachRow(app, {
        entity_type: "account",
        entity_id: account,
        file_id: attached,
        company_id: company.id,
      });
      const seeing = {
        ...alone,
        member: "reads",
        team_admin: "reads",
        beside: "reads",
        beside_admin: "reads",
        group_admin: "reads",
      } as const;
      await assertAccess(app, world, attached, seeing, "of a team's account");
      // Sharing adds access, also for admins, who otherwise do not read a user's own folders.
      const own = await fileRow(app, { ...of, belongs_to: "user", belongs_to_id: owner.id });
      await assertAccess(app, world, own, { owner: "changes" }, "in an own root");
      await attachRow(app, {
        entity_type: "account",
        entity_id: account,
        file_id: own,
        company_id: company.id,
      });
      await assertAccess(app, world, own, seeing, "in an own root, attached");
      const unknown = await fileRow(app, of);
      await attachRow(app, {
        entity_type: "case",
        entity_id: account,
        file_id: unknown,
        company_id: company.id,
      });
      await assertAccess(app, world, unknown, alone, "of a record that does not exist");
    }
  });
});

Deno.test("what a file is read by ends at once: a membership, a permission, a record, a folder", async () => {
  await using app = await startApp();
  const world = await people(app);
  const { company, team, owner, actors } = world;
  const of = { company_id: company.id, user_id: owner.id };
  const member = actors.member!;
  const inTeam = { belongs_to: "team", belongs_to_id: team } as const;
  const file = await fileRow(app, { ...of, folder_id: await folderRow(app, { ...of, ...inTeam }) });
  const token = (await member.call("GET", `/v1/files/${file}`)).body.download_token;
  assert.deepEqual(await readStatuses(member, file), statuses.reads);
  const left = await company.admin.call("PUT", `/v1/companies/${company.id}/users/${member.id}`, {
    team_ids: [],
  });
  assert.equal(left.status, 200, left.text);
  assert.deepEqual(await readStatuses(member, file), statuses.nothing);
  assert.equal((await app.call(null, "GET", `/v1/files/download/${token}`)).status, 404);
});

Deno.test("a root is written by those who administer what it belongs to, in SQL as in code; none in removal", async () => {
  await using app = await startApp();
  const { company, group, team, actors } = await people(app);
  const writers: [Place, string[]][] = [
    [makeRoot("company", company.id), ["admin"]],
    [makeRoot("group", group), ["admin", "group_admin"]],
    [makeRoot("team", team, group), ["admin", "group_admin", "team_admin"]],
    [makeRoot("team", team), ["admin", "team_admin"]],
    [makeRoot("user", actors.member!.id), ["member"]],
  ];
  for (const [place, expected] of writers) {
    for (const removed of [false, true]) {
      const found: string[] = [];
      for (const [name, { token, companyId }] of Object.entries(actors)) {
        if (companyId !== company.id) continue;
        const [caller] = await app.deps.db.read([selectCallerByToken(sha256(token), app.clock.now())]);
        const member = readMemberRow(caller!.rows[0]!);
        const may = mayWrite(member, { ...place, removed });
        const json = JSON.stringify({ ...place, removed });
        const [row] =
          (await app.deps.db.read([sql`select ${isWritable(member, sql`${json}`)} as may`]))[0]!.rows;
        assert.equal(row!.may === 1, may, `${json}: ${name}`);
        if (may) found.push(name);
      }
      assert.deepEqual(found.sort(), removed ? [] : expected, JSON.stringify(place));
    }
  }
});

function makeRoot(
  belongs_to: Place["belongs_to"],
  belongs_to_id: number,
  group_id: number | null = null,
): Place {
  return { belongs_to, belongs_to_id, group_id, level: 0, removed: false };
}
