import assert from "node:assert/strict";
import {
  belongsToAgency,
  type Caller,
  place,
  type PlacementFacts,
  seesLead,
  seesTeam,
} from "../../src/core/access.ts";
import { Problem } from "../../src/core/errors.ts";

/** A caller in teams 1 and 2. Team 1 is in group 10 together with team 3. */
function caller(more: Partial<Caller> = {}): Caller {
  return {
    tokenId: "t",
    clientId: "c",
    trusted: false,
    companyId: 1,
    userId: 5,
    userType: "user",
    rights: new Set(),
    teamIds: [1, 2],
    groupIds: [10],
    visibleTeamIds: [1, 2, 3],
    activeTeamId: 2,
    ...more,
  };
}

const nobody: PlacementFacts = { team: null, user: null };
const admin = caller({
  userType: "admin",
  teamIds: [],
  visibleTeamIds: [],
  groupIds: [],
  activeTeamId: null,
});

function faults(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return (error.more.errors ?? []).map(({ path, code }) => `${path} ${code}`);
    throw error;
  }
  return [];
}

Deno.test("a user sees shared records, those of own teams and of teams in the same group; an admin sees all", () => {
  assert.deepEqual([null, 1, 2, 3, 4].map((team) => seesTeam(caller(), team)), [
    true,
    true,
    true,
    true,
    false,
  ]);
  assert.equal(seesTeam(admin, 4), true);
});

Deno.test("only agency users and admins see a lead without a team", () => {
  const lead = { team_id: null, agency_team_id: 1 };
  const agency = caller({ rights: new Set(["agency"]) });
  assert.deepEqual([seesLead(caller(), lead), seesLead(agency, lead), seesLead(admin, lead)], [
    false,
    true,
    true,
  ]);
  assert.equal(seesLead(agency, { team_id: 9, agency_team_id: 3 }), false);
  assert.equal(seesLead(agency, { team_id: 9, agency_team_id: null }), true);
  assert.equal(seesLead(caller(), { team_id: 3, agency_team_id: 9 }), true);
});

Deno.test("agency users look after the leads of their agency team, and all of them after leads without one", () => {
  const agency = caller({ rights: new Set(["agency"]) });
  assert.deepEqual([1, 3, null].map((team) => belongsToAgency(agency, team)), [true, false, true]);
  assert.equal(belongsToAgency(caller(), null), false);
});

Deno.test("a new record goes to the active team and to the caller unless the body says otherwise", () => {
  assert.deepEqual(place(caller(), {}, nobody), { team_id: 2, user_id: 5 });
  assert.deepEqual(place(caller({ activeTeamId: null }), {}, nobody), { team_id: null, user_id: 5 });
  assert.deepEqual(place(caller(), { team_id: null, user_id: null }, nobody), { team_id: null, user_id: 5 });
});

Deno.test("members of a team, group admins of its group, and admins may name it", () => {
  const own = { ...nobody, team: { id: 1, group_id: 10 } };
  const shared = { ...nobody, team: { id: 3, group_id: 10 } };
  const foreign = { ...nobody, team: { id: 4, group_id: 11 } };
  const alone = { ...nobody, team: { id: 4, group_id: null } };
  const groupAdmin = caller({ userType: "group_admin" });
  assert.equal(place(caller(), { team_id: 1 }, own).team_id, 1);
  assert.deepEqual(faults(() => place(caller(), { team_id: 3 }, shared)), ["team_id exists"]);
  assert.equal(place(groupAdmin, { team_id: 3 }, shared).team_id, 3);
  assert.deepEqual(faults(() => place(groupAdmin, { team_id: 4 }, foreign)), ["team_id exists"]);
  assert.deepEqual(faults(() => place(groupAdmin, { team_id: 4 }, alone)), ["team_id exists"]);
  assert.deepEqual(faults(() => place(caller({ userType: "team_admin" }), { team_id: 3 }, shared)), [
    "team_id exists",
  ]);
  assert.equal(place(admin, { team_id: 4 }, foreign).team_id, 4);
  assert.deepEqual(faults(() => place(admin, { team_id: 9 }, nobody)), ["team_id exists"]);
});

Deno.test("a named user must exist and belong to the record's team, also to the active one", () => {
  const inTeam2 = { ...nobody, user: { id: 6, team_ids: [2] } };
  const inTeam3 = { ...nobody, user: { id: 6, team_ids: [3] } };
  assert.deepEqual(place(caller(), { user_id: 6 }, inTeam2), { team_id: 2, user_id: 6 });
  assert.deepEqual(faults(() => place(caller(), { user_id: 6 }, inTeam3)), ["user_id exists"]);
  assert.deepEqual(faults(() => place(caller(), { user_id: 6 }, nobody)), ["user_id exists"]);
  assert.deepEqual(place(caller(), { user_id: 6, team_id: null }, inTeam3), { team_id: null, user_id: 6 });
  const both = { team: { id: 1, group_id: 10 }, user: { id: 6, team_ids: [1, 3] } };
  assert.deepEqual(place(caller(), { user_id: 6, team_id: 1 }, both), { team_id: 1, user_id: 6 });
});
