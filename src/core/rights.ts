/** The catalogue of rights, one row each. Roles, `/me` and the checks of all endpoints read it. */

export const userTypes = { admin: 1, team_admin: 2, user: 3, group_admin: 5 } as const;
export type UserType = keyof typeof userTypes;

/** Returns the name of a user type; `user` for an unknown number. */
export function nameUserType(id: number): UserType {
  return (Object.keys(userTypes) as UserType[]).find((name) => userTypes[name] === id) ?? "user";
}

export interface RightEntry {
  group: string;
  default: boolean;
  assignable: boolean;
  dependencies: readonly string[];
  /** The only user types that can have it; absent: all. */
  user_types?: readonly UserType[];
}

const managers = ["admin", "group_admin", "team_admin"] as const;

function right(group: string, more: Partial<RightEntry> = {}): RightEntry {
  return { group, default: false, assignable: true, dependencies: [], ...more };
}

export const rights = {
  "customers.create": right("customers", { default: true }),
  "customers.update": right("customers", { default: true }),
  "customers.delete": right("customers", { dependencies: ["customers.update"] }),
  "cases.create": right("cases", { default: true }),
  "cases.update": right("cases", { default: true }),
  "leads.create": right("leads", { default: true }),
  "leads.delete": right("leads", { dependencies: ["leads.create"] }),
  "agency": right("leads"),
  "products.manage": right("products"),
  "templates.manage": right("messages", { default: true }),
  "campaigns.manage": right("messages"),
  "campaigns.send": right("messages", { dependencies: ["campaigns.manage"] }),
  "automations.manage": right("messages", { user_types: managers }),
  "files.publish": right("files"),
  "reports.view": right("reports", { default: true }),
  "reports.export": right("reports", { dependencies: ["reports.view"] }),
  "reports.schedule": right("reports", { dependencies: ["reports.view"] }),
  "ranks.manage": right("gamification", { user_types: managers }),
  "notifications.send": right("notifications", { default: true }),
  "webhooks.manage": right("integration"),
  "imports.manage": right("integration"),
  "applications.manage": right("integration", { user_types: ["admin"] }),
  "admin": right("administration", { assignable: false, user_types: ["admin"] }),
} satisfies Record<string, RightEntry>;

export type Right = keyof typeof rights;

const names = Object.keys(rights) as Right[];
const entries: Readonly<Record<Right, RightEntry>> = rights;

/** Returns a right's entry in the catalogue. */
export function findRightEntry(name: Right): RightEntry {
  return entries[name];
}

/** Returns whether the catalogue has the name. */
export function isRight(name: string): name is Right {
  return Object.hasOwn(rights, name);
}

/** The rights by group, in catalogue order. */
export function groupRights(): Map<string, Right[]> {
  return Map.groupBy(names, (name) => entries[name].group);
}

/**
 * Returns the rights of a user, in catalogue order: an admin has all that admins can have; others have the
 * default ones and those of their roles, except what their type excludes or what lacks a dependency.
 */
export function listRightsInForce(type: UserType, fromRoles: Iterable<string>): Right[] {
  const named = new Set(fromRoles);
  const works = (name: Right) => entries[name].user_types?.includes(type) ?? true;
  if (type === "admin") return names.filter(works);
  const held = new Set<string>(
    names.filter((name) => works(name) && (entries[name].default || named.has(name))),
  );
  let before = -1;
  while (held.size !== before) {
    before = held.size;
    for (const name of names) {
      if (entries[name].dependencies.some((needed) => !held.has(needed))) held.delete(name);
    }
  }
  return names.filter((name) => held.has(name));
}
