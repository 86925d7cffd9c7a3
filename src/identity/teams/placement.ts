/** What placing a new record has to look up: see `place` in `core/access.ts`. */
import type { Caller, PlacementFacts } from "../../core/access.ts";
import { statement } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";

/** With the names that the new record shows. */
export interface Placing extends PlacementFacts {
  readonly team: { id: number; group_id: number | null; name: string } | null;
  readonly user: { id: number; name: string; team_ids: readonly number[] } | null;
}

/**
 * Two statements for the verb's batch of reads: the team and the user that the new record will have, whether
 * the body names them or they are the caller's. Read them with `readPlacement`.
 */
export function placementFacts(
  caller: Caller,
  body: { team_id?: number | null | undefined; user_id?: number | null | undefined },
): Statement[] {
  return [
    statement(
      "select id, group_id, name from teams where id = ? and company_id = ?",
      body.team_id === undefined ? caller.activeTeamId : body.team_id,
      caller.companyId,
    ),
    statement(
      "select u.id, u.first_name || ' ' || u.last_name as name, " +
        "(select json_group_array(m.team_id) from team_members m where m.user_id = u.id) as team_ids " +
        "from users u where u.id = ? and u.company_id = ? and u.deleted_at is null",
      body.user_id ?? caller.userId,
      caller.companyId,
    ),
  ];
}

/** The results of the two statements of `placementFacts`, in their order. */
export function readPlacement(results: readonly Result[]): Placing {
  const [team, user] = results.map((result) => result.rows[0]);
  return {
    team: team
      ? { id: team.id as number, group_id: team.group_id as number | null, name: team.name as string }
      : null,
    user: user
      ? {
        id: user.id as number,
        name: user.name as string,
        team_ids: JSON.parse(user.team_ids as string) as number[],
      }
      : null,
  };
}
