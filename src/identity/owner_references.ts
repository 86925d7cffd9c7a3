/** What happens to a record with the members of `owner_members.ts` when its team, group or maker is deleted. */
import { cascadeAtOnce, type Deleted, keepFor, reassignAtOnce } from "../db/references.ts";
import { sql } from "../db/statements.ts";

/** Rows of a team or group. The index of `owner` finds them. */
export const ofTeam = { rows: (id: Deleted["id"]) => sql`owner = ${`t${id}`}` };
export const ofGroup = { rows: (id: Deleted["id"]) => sql`owner = ${`g${id}`}` };

/**
 * A record of a deleted team goes to the successor. Without one, as after a group, it still names the deleted one, and its
 * maker and admins alone see it: nobody is shown records of others. `maker`: the column of the maker.
 */
export function describeOwnerReferences(maker: string) {
  return {
    team_id: { team: [reassignAtOnce(ofTeam), keepFor(maker, ofTeam)] },
    group_id: { group: keepFor(maker, ofGroup) },
    kept_for: { user: "keep" },
  } as const;
}

/**
 * The same for a record that may be private: it goes to the successor of its maker, else with the maker, unless others
 * name it.
 */
export function describeSharedReferences(maker: string) {
  return {
    ...describeOwnerReferences(maker),
    private_to: { user: [reassignAtOnce({ set: maker }), cascadeAtOnce] },
  } as const;
}
