/** What the user types may do: one table, read by every verb of administration. */
import { type Caller } from "../core/access.ts";
import { forbidden } from "../core/errors.ts";
import type { UserType } from "../core/rights.ts";

/** How far a user type reaches: the whole company, teams of own groups, own teams, or not at all. */
export type Reach = "all" | "own_groups" | "own_teams" | "none";

function reach(admin: Reach, group_admin: Reach, team_admin: Reach, user: Reach): Record<UserType, Reach> {
  return { admin, group_admin, team_admin, user };
}

export const permissions = {
  //                            admin  group_admin   team_admin   user
  "users.create": reach("all", "own_groups", "own_teams", "none"),
  "users.update": reach("all", "own_groups", "own_teams", "none"),
  "users.promote": reach("all", "own_groups", "none", "none"),
  "company.write": reach("all", "none", "none", "none"),
  "sso": reach("all", "none", "none", "none"),
  "users.delete": reach("all", "none", "none", "none"),
  "groups.write": reach("all", "none", "none", "none"),
  "roles.write": reach("all", "none", "none", "none"),
  "teams.create": reach("all", "own_groups", "none", "none"),
  "teams.update": reach("all", "own_groups", "own_teams", "none"),
  "teams.delete": reach("all", "own_groups", "none", "none"),
  "fields.write": reach("all", "own_groups", "own_teams", "none"),
  "leads.filter": reach("all", "none", "none", "none"),
} satisfies Record<string, Record<UserType, Reach>>;

export type Permission = keyof typeof permissions;

/** How far the caller reaches; 403 when not at all. */
export function requireReach(caller: Caller, permission: Permission): Exclude<Reach, "none"> {
  const found = permissions[permission][caller.userType];
  if (found !== "none") return found;
  const types = (Object.keys(permissions[permission]) as UserType[])
    .filter((type) => permissions[permission][type] !== "none");
  throw forbidden(`A user of type ${types.join(" or ")} is required.`);
}

/** Whether a team lies within the reach. */
export function reaches(
  caller: Caller,
  reach: Reach,
  team: { id: number; group_id: number | null },
): boolean {
  switch (reach) {
    case "all":
      return true;
    case "own_groups":
      return team.group_id !== null && caller.groupIds.includes(team.group_id);
    case "own_teams":
      return caller.teamIds.includes(team.id);
    case "none":
      return false;
  }
}

/** From the lowest type to the highest. */
const ranking: readonly UserType[] = ["user", "team_admin", "group_admin", "admin"];

/** Whether one type stands above another. */
export function outranks(type: UserType, other: UserType): boolean {
  return ranking.indexOf(type) > ranking.indexOf(other);
}
