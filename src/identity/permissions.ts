/** The permissions of the user types: one table that all administrative verbs read. */
import { type Caller, seesTeam } from "../core/access.ts";
import { forbidden } from "../core/errors.ts";
import type { UserType } from "../core/rights.ts";

/** The teams that a permission covers: all, those the caller sees, those of own groups, own ones, or none. */
export type Reach = "all" | "visible" | "own_groups" | "own_teams" | "none";

function reach<R extends Reach>(admin: R, group_admin: R, team_admin: R, user: R): Record<UserType, R> {
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
  /** Relations paths and lead types, as far as the company's settings allow. */
  "paths.write": reach("all", "own_groups", "own_teams", "none"),
  "fields.write": reach("all", "own_groups", "own_teams", "none"),
  "leads.filter": reach("all", "none", "none", "none"),
  "cases.delete": reach("all", "visible", "visible", "none"),
} satisfies Record<string, Record<UserType, Reach>>;

export type Permission = keyof typeof permissions;

/** Returns the caller's reach; throws 403 for none. */
export function requireReach<P extends Permission>(
  caller: Caller,
  permission: P,
): Exclude<(typeof permissions)[P][UserType], "none"> {
  const found: Reach = permissions[permission][caller.userType];
  if (found !== "none") return found as Exclude<(typeof permissions)[P][UserType], "none">;
  const types = (Object.keys(permissions[permission]) as UserType[])
    .filter((type) => permissions[permission][type] !== "none");
  throw forbidden(`A user of type ${types.join(" or ")} is required.`);
}

/** Whether a team is within the reach. */
export function reaches(
  caller: Caller,
  reach: Reach,
  team: { id: number; group_id: number | null },
): boolean {
  switch (reach) {
    case "all":
      return true;
    case "visible":
      return seesTeam(caller, team.id);
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

/** Whether one type ranks above another. */
export function outranks(type: UserType, other: UserType): boolean {
  return ranking.indexOf(type) > ranking.indexOf(other);
}
