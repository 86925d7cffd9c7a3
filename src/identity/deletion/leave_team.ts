/** Removes the members of a deleted team. Each member's user is updated, with an event. */
import type { Context } from "../../db/context.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { guardVersions, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { guardAllShown } from "../users/guard_all_shown.ts";
import { draftUserEvent } from "../users/write.ts";
import { presentUser } from "../users/present.ts";
import type { UserFacts } from "../users/queries.ts";

/** The most members that leave in one batch, so that it holds the write lock for well under 100 ms. */
export const mostMembers = 200;

/** Removes the members from the team. If it was their active team, their first other team is, if any. */
export function leaveTeam(
  ctx: Context,
  teamId: number,
  members: readonly UserFacts[],
): { statements: Statement[]; events: EventDraft[] } {
  const after = members.map((user): UserFacts => {
    const teams = user.teams.filter(({ id }) => id !== teamId);
    const active_team_id = user.active_team_id === teamId ? teams[0]?.id ?? null : user.active_team_id;
    return { ...user, teams, active_team_id, updated_at: ctx.at };
  });
  const ids = JSON.stringify(members.map(({ id }) => id));
  return {
    statements: [
      guardVersions("users", members),
      ...guardAllShown(after),
      sql`update users set active_team_id = case when active_team_id = ${teamId} then (select min(other.team_id)
        from team_members other where other.user_id = users.id and other.team_id <> ${teamId})
        else active_team_id end, updated_at = ${ctx.at}, version = version + 1
        where id in (select value from json_each(${ids}))`,
      sql`delete from team_members where team_id = ${teamId} and user_id in (select value from json_each(${ids}))`,
    ],
    events: after.map((user) => draftUserEvent("user_updated", user, presentUser(user, ctx))),
  };
}
