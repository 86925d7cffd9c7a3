/** The people who are offered Administration, and what they may change there. */
import type { Caller } from "../../core/access.ts";
import { forbidden } from "../../core/errors.ts";
import type { UserType } from "../../core/rights.ts";
import { mayChangeSeen, type Owner } from "../../identity/owners.ts";
import { outranks, type Permission, permissions, reaches } from "../../identity/permissions.ts";
import type { Person } from "../person.ts";
import type { Visit } from "../visit.ts";

/** Why others may not see it. */
export const forAdmins = "This is for admins.";

const types: readonly string[] = ["admin", "group_admin", "team_admin"];

export function offersAdministration({ known: { caller } }: Person): boolean {
  return types.includes(caller!.userType) || caller!.rights.has("webhooks.manage") ||
    caller!.rights.has("applications.manage");
}

export function isAdmin({ person }: Visit): boolean {
  return person.known.caller!.userType === "admin";
}

/** Throws 403 for people who are not offered it. */
export function requireAdministration({ person }: Visit): void {
  if (!offersAdministration(person)) throw forbidden(forAdmins);
}

/** Throws 403 for people who are no admin of any kind, and whose lists would be refused. */
export function requireAdmin(visit: Visit, ...allowed: readonly string[]): void {
  requireAdministration(visit);
  const { userType } = visit.person.known.caller!;
  if (!(allowed.length > 0 ? allowed : types).includes(userType)) {
    throw forbidden(forAdmins);
  }
}

interface Team {
  readonly id: number;
  readonly group: { readonly id: number } | null;
}

interface User {
  readonly id: number;
  readonly user_type: { readonly name: string };
  readonly teams: readonly Team[];
}

/** Whether the person may change the team. */
export function mayChangeTeam({ person }: Visit, team: Team): boolean {
  return isWithin(person.known.caller!, "teams.update", team);
}

/** Whether the person may change the user: themselves, or one of no higher type in a team that they administer. */
export function mayChangeUser({ person }: Visit, { id, user_type, teams }: User): boolean {
  const caller = person.known.caller!;
  if (id === caller.userId || caller.userType === "admin") return true;
  return teams.some((team) => isWithin(caller, "users.update", team)) &&
    !outranks(user_type.name as UserType, caller.userType);
}

function isWithin(caller: Caller, permission: Permission, { id, group }: Team): boolean {
  return reaches(caller, permissions[permission][caller.userType], { id, group_id: group?.id ?? null });
}

/**
 * Whether the person may make processes and lead types: admins, and others as the settings of the company allow, for a
 * team or group of theirs.
 */
export async function mayMakePaths(visit: Visit): Promise<boolean> {
  const { call, person } = visit;
  const { userType, companyId } = person.known.caller!;
  if (userType === "admin") return true;
  if (userType === "user" || Object.keys(chooseOwner(visit)).length === 0) return false;
  const settings = await call<Readonly<Record<string, unknown>>>("getSettings", {
    params: { company_id: String(companyId) },
  });
  const who = userType === "team_admin" ? "teams" : "groups";
  return settings[`${who}_can_create_relations_paths`] === true;
}

/** Returns whose a new process or lead type is: the company's, else the active team's or its maker's first group's. */
export function chooseOwner({ person }: Visit): { team_id?: number; group_id?: number } {
  const { userType, activeTeamId, teamIds, groupIds } = person.known.caller!;
  const [team, group] = [activeTeamId ?? teamIds[0], groupIds[0]];
  if (userType === "group_admin" && group !== undefined) return { group_id: group };
  return userType === "admin" || team === undefined ? {} : { team_id: team };
}

/** Throws 403 for people who may make no processes and lead types. */
export async function requirePaths(visit: Visit): Promise<void> {
  requireAdmin(visit);
  if (!await mayMakePaths(visit)) throw forbidden(forAdmins);
}

/** Whether the person may change the process or lead type. `may`: what `mayMakePaths` returned. */
export function mayChangePath({ person }: Visit, owner: Owner, may: boolean): boolean {
  return may && mayChangeSeen(person.known.caller!, owner);
}
