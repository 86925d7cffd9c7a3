/** Writes commit only while their caller exists and has the same rights. */
import assert from "node:assert/strict";
import { guardCaller } from "../../src/db/caller_guard.ts";
import { authenticate } from "../../src/http/steps/caller.ts";
import { GuardRefused, type Value } from "../../src/platform/database/database.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { startApp, type TestApp, type TestCompany } from "../support/app.ts";
import { farDatabase } from "../support/far.ts";

interface World {
  readonly app: TestApp;
  readonly company: TestCompany;
  readonly team: number;
  readonly group: number;
}

type Change = (world: World, userId: number, token: string) => [sql: string, ...args: Value[]];

const setTeamGroup = "update teams set group_id = ? where id = ?";

/** Changes of any caller. */
const ends: Readonly<Record<string, Change>> = {
  "the token is revoked": (_, __, token) => ["delete from access_tokens where hash = ?", sha256(token)],
  "the user is deleted": (_, id) => ["update users set deleted_at = 'x' where id = ?", id],
  "the user's company is deleted": ({ company }) => [
    "update companies set deleted_at = 'x' where id = ?",
    company.id,
  ],
  "the type changes": (_, id) => ["update users set user_type = 2 where id = ?", id],
  "another team is active": ({ team }, id) => ["update users set active_team_id = ? where id = ?", team, id],
  "the client is no longer trusted": (_, __, token) => [
    "update applications set trusted = 1 - trusted " +
    "where client_id = (select client_id from access_tokens where hash = ?)",
    sha256(token),
  ],
};

/** Changes of callers other than admins. */
const losses: Readonly<Record<string, Change>> = {
  "a team is left": (_, id) => ["delete from team_members where user_id = ?", id],
  "a role is lost": (_, id) => ["delete from user_roles where user_id = ?", id],
  "a role loses a right": (_, id) => [
    "delete from role_rights where role_id in (select role_id from user_roles where user_id = ?)",
    id,
  ],
  "the team joins a group": ({ group, team }) => [setTeamGroup, group, team],
};

/** Changes of other users, or of facts that no right depends on. */
const elsewhere: Readonly<Record<string, Change>> = {
  "somebody else is deleted": ({ company }) => [
    "update users set deleted_at = 'x' where id = ?",
    company.admin.id,
  ],
  "a name changes": (_, id) => ["update users set last_name = 'y' where id = ?", id],
  "another team joins a group": ({ group, company }) => [
    "insert into teams (company_id, name, group_id, timezone, locale, created_at, updated_at) " +
    "values (?, 'x', ?, 'UTC', 'en-GB', 'x', 'x')",
    company.id,
    group,
  ],
};

for (const place of ["on a file", "far away"]) {
  const run = async (env: Record<string, string>) => {
    await using app = await startApp(env);
    const company = await app.company();
    const world = { app, company, team: await company.team(), group: await company.group() };
    for (const type of ["admin", "user"] as const) {
      const refused = type === "admin" ? ends : { ...ends, ...losses };
      const kept = type === "admin" ? { ...elsewhere, ...losses } : elsewhere;
      for (const [what, change] of Object.entries(refused)) {
        assert.equal(await commits(world, type, change), false, `${type}: ${what}`);
      }
      for (const [what, change] of Object.entries(kept)) {
        assert.equal(await commits(world, type, change), true, `${type}: ${what}`);
      }
    }
  };
  Deno.test(`${place}, a write fails when its caller has ended or has other rights, and only then`, () =>
    place === "on a file" ? run({}) : farDatabase(({ env }) => run(env)));
}

/** Returns whether a write commits whose caller was looked up before the change, and one without a change. */
async function commits({ app, ...world }: World, type: "admin" | "user", change: Change): Promise<boolean> {
  const { deps } = app;
  const { company } = world;
  // Each case has its own company, because cases delete rows.
  await deps.db.write([
    { sql: "update companies set deleted_at = null", args: [] },
    { sql: setTeamGroup, args: [null, world.team] },
  ]);
  const user = await company.user({ type, teams: [world.team], active: null, rights: ["products.manage"] });
  const now = deps.clock.now();
  const { known } = await authenticate(deps, user.token, now, []);
  const guard = guardCaller(known.state, now);
  await deps.db.write([guard]);
  const [sql, ...args] = change({ app, ...world }, user.id, user.token);
  const [changed] = await deps.db.write([{ sql, args }]);
  assert.ok(changed!.changes > 0, sql);
  try {
    await deps.db.write([guard]);
    return true;
  } catch (error) {
    assert.ok(error instanceof GuardRefused, String(error));
    return false;
  }
}
