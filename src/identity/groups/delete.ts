import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions, remove, sql } from "../../db/statements.ts";
import { guardChanged } from "../../platform/database/database.ts";
import type { TeamFacts } from "../teams/queries.ts";
import { changeTeam } from "../teams/write.ts";
import type { GroupDeletion } from "./deletion.ts";
import { groups } from "./record.ts";
import { groupToWrite } from "./update.ts";
import { touchGroups } from "../teams/group.ts";

/** The most teams that leave in one batch, so that it holds the write lock for well under 100 ms. */
const mostTeams = 200;

/**
 * Returns 204. The group's teams then belong to no group and no longer share records. Most teams of a large
 * group leave in separate batches before the deletion.
 */
export async function deleteGroup(ctx: Context, id: number, groupDeletion: GroupDeletion) {
  let group = await groupToWrite(ctx, id);
  while (group.teams.length > mostTeams) {
    const { statements, events } = leaving(ctx, group.teams.slice(0, mostTeams));
    const before = { ...ctx, idempotency: null };
    await commit(before, { statements: [...touchGroups([group]), ...statements], events, answer: noContent });
    group = { ...group, teams: group.teams.slice(mostTeams), version: group.version + 1 };
  }
  const { statements, events } = leaving(ctx, group.teams);
  return await commit(ctx, {
    statements: [
      ...statements,
      remove(groups, { id, company_id: group.company_id, version: group.version }),
      guardChanged("stale"),
      ...groupDeletion(ctx, group.company_id, id),
      ...ctx.deps.clearNaming(ctx, "group", { company_id: group.company_id, id }),
      ...ctx.deps.deleteNaming("group", sql`${id}`),
    ],
    events,
    answer: noContent,
  });
}

function leaving(ctx: Context, teams: readonly TeamFacts[]) {
  return {
    statements: [
      guardVersions("teams", teams),
      sql`update teams set group_id = null, updated_at = ${ctx.at}, version = version + 1
        where id in (select value from json_each(${JSON.stringify(teams.map(({ id }) => id))}))`,
    ],
    events: teams.map((team) => changeTeam(ctx, team, { group_id: null }, null).event),
  };
}
