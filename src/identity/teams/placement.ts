/** Reads the team and user of a new record, and guards them until the commit. */
import { type Caller, place, type Placement, type PlacementFacts } from "../../core/access.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { unauthenticated } from "../../http/problems.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";

/** The facts for `place`, with the names that the new record shows. */
export interface Placing extends PlacementFacts {
  readonly team: { id: number; group_id: number | null; name: string; version: number } | null;
  readonly user: { id: number; name: string; team_ids: readonly number[]; version: number } | null;
  /** The caller's current teams; null when the user that the body names does not exist. */
  readonly own: { readonly teamIds: readonly number[]; readonly activeTeamId: number | null } | null;
}

interface Named {
  readonly team_id?: number | null | undefined;
  readonly user_id?: number | null | undefined;
}

/**
 * SQL: the id of the new record's team: the team of the body, or else the caller's active team, or else
 * `otherwise` (an expression).
 */
export function selectPlacedTeam(caller: Caller, body: Named, otherwise: Sql = sql`null`): Sql {
  if (body.team_id !== undefined) return sql`${body.team_id}`;
  return sql`coalesce((select active_team_id from users where id = ${caller.userId}), ${otherwise})`;
}

/**
 * Returns two statements for the verb's batch of reads: the team and the user of the new record, each from
 * the body or else the caller's. Read them with `readPlacement`.
 */
export function selectPlacementFacts(caller: Caller, body: Named, otherwise?: Sql): Statement[] {
  const team = selectPlacedTeam(caller, body, otherwise);
  const selectTeams = (user: Sql) =>
    sql`(select json_group_array(m.team_id) from team_members m where m.user_id = ${user})`;
  return [
    sql`select id, group_id, name, version from teams where id = ${team} and company_id = ${caller.companyId}`,
    sql`select u.id, u.first_name || ' ' || u.last_name as name, u.version,
      ${selectTeams(sql`u.id`)} as team_ids, ${selectTeams(sql`own.id`)} as own_team_ids, own.active_team_id
      from users u join users own on own.id = ${caller.userId}
      where u.id = ${body.user_id ?? caller.userId} and u.company_id = ${caller.companyId}
      and u.deleted_at is null`,
  ];
}

/** Reads the results of `selectPlacementFacts`, in their order. */
export function readPlacement(results: readonly Result[]): Placing {
  const [team, user] = results.map((result) => result.rows[0]);
  return {
    team: team
      ? {
        id: team.id as number,
        group_id: team.group_id as number | null,
        name: team.name as string,
        version: team.version as number,
      }
      : null,
    user: user
      ? {
        id: user.id as number,
        name: user.name as string,
        team_ids: JSON.parse(user.team_ids as string) as number[],
        version: user.version as number,
      }
      : null,
    own: user
      ? {
        teamIds: JSON.parse(user.own_team_ids as string) as number[],
        activeTeamId: user.active_team_id as number | null,
      }
      : null,
  };
}

/** Returns the new record's team and user, by the caller's current teams: see `place` in `core/access.ts`. */
export function choosePlacement(
  caller: Caller,
  body: Named,
  placing: Placing,
  otherwise: number | null = null,
): Placement {
  const named = body.user_id !== undefined && body.user_id !== null;
  // The caller's own user has been deleted during the call.
  if (!placing.user && !named) throw unauthenticated(true);
  return place({ ...caller, ...placing.own }, body, placing, otherwise);
}

/**
 * Refuses the batch when the team or the user has changed or is deleted, or the user's teams have changed.
 */
export function guardPlaced({ team, user }: Pick<Placing, "team" | "user">): Statement {
  return guardThat(
    "placement",
    sql`(select version from teams where id = ${team?.id ?? null}) is ${team?.version ?? null}
      and (select version from users where id = ${user?.id ?? null}) is ${user?.version ?? null}`,
  );
}
