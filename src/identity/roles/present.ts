/** Presents roles and rights. */
import { type Json, list, object, plain } from "../../core/json.ts";
import { type Right, rightEntry, rights, rightsByGroup } from "../../core/rights.ts";
import type { RoleRecord } from "./queries.ts";

/** Presents the Role record, its rights in the order of the catalogue. */
export function presentRole(role: RoleRecord): Json {
  const held = new Set<string>(role.rights);
  return object({
    id: role.id,
    name: role.name,
    rights: (Object.keys(rights) as Right[]).filter((name) => held.has(name)),
    created_at: role.created_at,
    updated_at: role.updated_at,
  });
}

/** Presents a role in lists. */
export function presentRoleSummary(role: Omit<RoleRecord, "rights">): Json {
  const { id, name, created_at, updated_at } = role;
  return object({ id, name, created_at, updated_at });
}

/** Presents what deleting a role would do. */
export function presentDeleteImpact(users: number): Json {
  return plain({ blocked_by: [], deletes: [], affects: [{ type: "users", amount: users }] });
}

/** Presents the catalogue of rights by group. */
export function presentRightsGroups(): Json {
  const groups = [...rightsByGroup()].map(([name, held]) =>
    object({ name, rights: list(held.map((right) => presentRight(right))) })
  );
  return object({ data: list(groups) });
}

function presentRight(name: Right): Json {
  const { user_types, group, assignable, dependencies, default: given } = rightEntry(name);
  return plain({
    name,
    group,
    assignable,
    default: given,
    dependencies: [...dependencies],
    // Absent when the right works for every user type.
    ...(user_types ? { user_types: [...user_types] } : {}),
  });
}
