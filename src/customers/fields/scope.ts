/** The owner of a new field or of an order of fields: the company, a team or a group. */
import type { Caller } from "../../core/access.ts";
import { fieldError, forbidden, invalid, missingReference } from "../../core/errors.ts";
import { seesField } from "../../fields/custom_fields.ts";
import { sql } from "../../db/statements.ts";
import { checkNamedOwner, type Owner, selectOwnerColumns } from "../../identity/owners.ts";
import { requireReach } from "../../identity/permissions.ts";
import type { Row, Statement } from "../../platform/database/database.ts";

/** The team or group that a body names. */
interface Named {
  readonly team_id?: number | null | undefined;
  readonly group_id?: number | null | undefined;
}

/** An owner before its check against the database. */
export interface Scope extends Owner {
  /** Throws 422 for a team or group that the caller may not use. `facts` is the row of `selectFieldOwner`. */
  check(facts: Row): void;
}

/**
 * Returns the owner that the body names. Default: the company for admins, the only group for group admins,
 * the active or only team for team admins. Throws 422 when a default is ambiguous, 403 when a group admin has
 * no group or a team admin no team, and 403 for other users.
 */
export function makeFieldScope(caller: Caller, body: Named): Scope {
  const reach = requireReach(caller, "fields.write");
  const { team_id = null, group_id = null } = body;
  if (team_id !== null && group_id !== null) {
    throw invalid(fieldError("group_id", "excluded", "Not together with team_id."));
  }
  const named = team_id !== null || group_id !== null;
  const owner = named || reach === "all" ? { team_id, group_id } : chooseOwn(caller, reach);
  return {
    ...owner,
    check(facts) {
      checkNamedOwner(caller, owner, facts);
      // A group admin may name any team of the own groups, but must belong to it to see its fields.
      if (!seesField(caller, owner)) throw invalid(missingReference("team_id", "team"));
    },
  };
}

export function selectFieldOwner(companyId: number, owner: Owner): Statement {
  return sql`select ${selectOwnerColumns(owner)} from companies c where c.id = ${companyId}`;
}

function chooseOwn(caller: Caller, reach: "own_groups" | "own_teams"): Owner {
  const { activeTeamId, teamIds, groupIds } = caller;
  if (reach === "own_teams") {
    const team = activeTeamId ?? (teamIds.length === 1 ? teamIds[0]! : null);
    if (team !== null) return { team_id: team, group_id: null };
    if (teamIds.length === 0) throw forbidden("A team admin without a team cannot create fields.");
    throw invalid(fieldError("team_id", "required", "Name the team: you have several and none is active."));
  }
  if (groupIds.length === 1) return { team_id: null, group_id: groupIds[0]! };
  if (groupIds.length === 0) throw forbidden("A group admin without a group cannot create fields.");
  throw invalid(fieldError("group_id", "required", "Name the group: you have several."));
}
