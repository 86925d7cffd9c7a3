/**
 * The caller of a request, and what the caller may see. This file decides that for values; `db/scope.ts` does
 * the same in SQL, for lists and for deliveries.
 */
import { fieldError, forbidden, invalid, missingReference } from "./errors.ts";
import type { Right, UserType } from "./rights.ts";

/** The client of a token, with or without a user. */
export interface Client {
  /** The token's public identifier. */
  readonly tokenId: string;
  readonly clientId: string;
  readonly trusted: boolean;
  /** The client's company; null for a bootstrap client. */
  readonly companyId: number | null;
}

/** A user with all facts that decide what the user may see and do. */
export interface Member {
  readonly companyId: number;
  readonly userId: number;
  readonly userType: UserType;
  readonly rights: ReadonlySet<Right>;
  /** Teams that the user belongs to. */
  readonly teamIds: readonly number[];
  /** Groups of those teams. */
  readonly groupIds: readonly number[];
  /** Teams whose records are visible: own teams and those in a group with them. An admin sees all. */
  readonly visibleTeamIds: readonly number[];
  readonly activeTeamId: number | null;
}

/** The client of people who use the console. */
export const consoleClient = "console";

/** A client that acts for a user. */
export interface Caller extends Client, Member {
  readonly companyId: number;
}

/** Returns a caller without a client, for what a user may see and do while no request runs. */
export function makeCaller(member: Member): Caller {
  return { ...member, tokenId: "", clientId: "", trusted: false };
}

/** Returns whether the caller is an admin of the company. */
export function isAdmin(caller: Member): boolean {
  return caller.userType === "admin";
}

/** Returns whether the caller sees a record of this team. Without a team, the whole company shares it. */
export function seesTeam(caller: Member, teamId: number | null): boolean {
  return teamId === null || isAdmin(caller) || caller.visibleTeamIds.includes(teamId);
}

/**
 * Returns whether the caller sees a relations path or lead type: of the company, of own teams or of own groups, or
 * one that the caller made and whose team or group is deleted.
 */
export function seesOwned(
  caller: Member,
  owned: {
    readonly team_id: number | null;
    readonly group_id?: number | null;
    readonly kept_for?: number | null | undefined;
  },
): boolean {
  if (owned.kept_for === caller.userId) return true;
  const group = owned.group_id ?? null;
  if (isAdmin(caller) || (owned.team_id === null && group === null)) return true;
  if (owned.team_id !== null) return listOwnTeams(caller).includes(owned.team_id);
  return group !== null && caller.groupIds.includes(group);
}

/**
 * Returns the caller's own teams; for a group admin also all teams of own groups, because a group admin
 * writes for them.
 */
export function listOwnTeams(caller: Member): readonly number[] {
  return caller.userType === "group_admin" ? caller.visibleTeamIds : caller.teamIds;
}

/**
 * Returns whether the caller sees a lead. An admin sees all. Users who see its team do, and the agency users
 * of its agency team. Without a team, only the agency users do.
 */
export function seesLead(
  caller: Member,
  lead: { team_id: number | null; agency_team_id: number | null },
): boolean {
  if (isAdmin(caller)) return true;
  if (lead.team_id !== null && caller.visibleTeamIds.includes(lead.team_id)) return true;
  return belongsToAgency(caller, lead.agency_team_id);
}

/**
 * Returns whether the caller is an agency user of this agency team. A lead without an agency team belongs to
 * all agency users.
 */
export function belongsToAgency(caller: Member, agencyTeamId: number | null): boolean {
  if (!caller.rights.has("agency")) return false;
  return isAdmin(caller) || agencyTeamId === null || caller.teamIds.includes(agencyTeamId);
}

/** Throws 403 with the name of the missing right. */
export function requireRight(caller: Member, right: Right): void {
  if (!caller.rights.has(right)) throw forbidden(`The right ${right} is missing.`);
}

/** Facts about the team and user that a body names, for placing a record. */
export interface PlacementFacts {
  /** The group of the named team, when the team exists in the company. */
  team: { id: number; group_id: number | null } | null;
  /** The teams of the named user, when the user exists in the company. */
  user: { id: number; team_ids: readonly number[] } | null;
}

/** The team (null: shared) and the user of a new record. */
export interface Placement {
  team_id: number | null;
  user_id: number;
}

/**
 * Returns the team and user of a new record. Team: the body's, which the caller must be allowed to use; by
 * default the active team, else `otherwise` (null: shared). User: the body's, by default the caller. A named
 * user must belong to the record's team. If the body names no team, callers may name themselves in any case.
 * Throws 422.
 */
export function place(
  caller: Caller,
  body: { team_id?: number | null | undefined; user_id?: number | null | undefined },
  facts: PlacementFacts,
  otherwise: number | null = null,
): Placement {
  const errors = [];
  let team_id = caller.activeTeamId ?? otherwise;
  if (body.team_id === null) team_id = null;
  else if (body.team_id !== undefined) {
    team_id = body.team_id;
    if (!facts.team || !mayPlaceInto(caller, facts.team)) errors.push(missingReference("team_id", "team"));
  }
  const user_id = body.user_id ?? caller.userId;
  if (body.user_id !== undefined && body.user_id !== null) {
    if (!facts.user) errors.push(missingReference("user_id", "user"));
    else if (
      team_id !== null && errors.length === 0 && !facts.user.team_ids.includes(team_id) &&
      !(user_id === caller.userId && body.team_id === undefined)
    ) {
      errors.push(fieldError("user_id", "exists", "The user does not belong to the team of the record."));
    }
  }
  if (errors.length > 0) throw invalid(...errors);
  return { team_id, user_id };
}

/**
 * Returns whether the caller may place records in the team: users in own teams, group admins also in teams of
 * own groups, admins in any team.
 */
export function mayPlaceInto(caller: Caller, team: { id: number; group_id: number | null }): boolean {
  if (isAdmin(caller) || caller.teamIds.includes(team.id)) return true;
  return caller.userType === "group_admin" && team.group_id !== null &&
    caller.groupIds.includes(team.group_id);
}
