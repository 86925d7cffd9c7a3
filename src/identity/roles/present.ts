/** Presents roles and rights. */
import { findRightEntry, groupRights, type Right, rights } from "../../core/rights.ts";
import type { RoleRecord } from "./queries.ts";
import { presentRoleMembers } from "./record.ts";

/** Presents the Role record, its rights in the order of the catalogue. */
export function presentRole(role: RoleRecord) {
  const held = new Set<string>(role.rights);
  return presentRoleMembers({
    ...role,
    rights: (Object.keys(rights) as Right[]).filter((name) => held.has(name)),
  });
}

/** Presents the impact of deleting a role that `users` users have. */
export function presentDeleteImpact(users: number) {
  return { blocked_by: [], deletes: [], affects: [{ type: "users", amount: users }] };
}

/** Presents the catalogue of rights by group. */
export function presentRightsGroups() {
  const groups = [...groupRights()].map(([name, held]) => ({
    name,
    rights: held.map((right) => presentRight(right)),
  }));
  return { data: groups };
}

function presentRight(name: Right) {
  const { user_types, group, assignable, dependencies, default: given } = findRightEntry(name);
  return {
    name,
    group,
    assignable,
    default: given,
    dependencies: [...dependencies] as Right[],
    // Absent when the right works for every user type.
    ...(user_types ? { user_types: [...user_types] } : {}),
  };
}
