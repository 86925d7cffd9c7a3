/** The people who are offered Administration. */
import { forbidden } from "../../core/errors.ts";
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
