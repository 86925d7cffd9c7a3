/**
 * Who is calling and what they may see: the one place that decides, as values.
 * `db/scope.ts` says the same in SQL for lists and for the deliveries of events.
 */
import { fieldError, forbidden, invalid, missingReference } from "./errors.ts";
import type { Right, UserType } from "./rights.ts";

/** The client behind a token, with or without a user. */
export interface Client {
  /** The token's public identifier. */
  readonly tokenId: string;
  readonly clientId: string;
  readonly trusted: boolean;
  /** The company that the client belongs to; null for a bootstrap client. */
  readonly companyId: number | null;
}

/** A client that acts for a user. Everything that a feature needs to know about who is calling. */
export interface Caller extends Client {
  readonly companyId: number;
  readonly userId: number;
  readonly userType: UserType;
  readonly rights: ReadonlySet<Right>;
  /** Teams that the user belongs to. */
  readonly teamIds: readonly number[];
  /** Groups of those teams. */
  readonly groupIds: readonly number[];
  /** Teams whose records the user sees: own teams and those in a group with them. An admin sees all. */
  readonly visibleTeamIds: readonly number[];
  readonly activeTeamId: number | null;
}

export function isAdmin(caller: Caller): boolean {
  return caller.userType === "admin";
}

/** Whether a record of this team is visible to the caller; no team: shared with the whole company. */
export function seesTeam(caller: Caller, teamId: number | null): boolean {
  return teamId === null || isAdmin(caller) || caller.visibleTeamIds.includes(teamId);
}

/** A lead is seen by its team, and by the agency users who look after it. Without a team, by those alone. */
export function seesLead(
  caller: Caller,
  lead: { team_id: number | null; agency_team_id: number | null },
): boolean {
  if (isAdmin(caller)) return true;
  if (lead.team_id !== null && caller.visibleTeamIds.includes(lead.team_id)) return true;
  return isAgencyOf(caller, lead.agency_team_id);
}

/** Whether the caller is an agency user of this agency team; leads without one belong to all of them. */
export function isAgencyOf(caller: Caller, agencyTeamId: number | null): boolean {
  if (!caller.rights.has("agency")) return false;
  return isAdmin(caller) || agencyTeamId === null || caller.teamIds.includes(agencyTeamId);
}

/** Throws 403 naming the right that is missing. */
export function requireRight(caller: Caller, right: Right): void {
  if (!caller.rights.has(right)) throw forbidden(`The right ${right} is missing.`);
}

/** What placing a record needs to know of the team and user that the body names. */
export interface PlacementFacts {
  /** Of the named team, when it exists in the company. */
  team: { id: number; group_id: number | null } | null;
  /** Of the named user, when it exists in the company. */
  user: { id: number; team_ids: readonly number[] } | null;
}

/** Which team and user a placement has to look up: those that the body names and the caller is not. */
export interface Placement {
  team_id: number | null;
  user_id: number;
}

/**
 * Where a new record goes: the body's team when the caller may use it, else the active team, else `otherwise`
 * (null: nobody's); the body's user, else the caller. A named user must belong to the record's team; callers may name
 * themselves where the team is neither named nor theirs, as if they named nobody.
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

/** A team that the caller belongs to, one of an own group for a group admin, any for an admin. */
export function mayPlaceInto(caller: Caller, team: { id: number; group_id: number | null }): boolean {
  if (isAdmin(caller) || caller.teamIds.includes(team.id)) return true;
  return caller.userType === "group_admin" && team.group_id !== null &&
    caller.groupIds.includes(team.group_id);
}
