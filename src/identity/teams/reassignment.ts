/** What was too much for the batch that deleted a team goes to the heir in steps, here. */
import { noContent } from "../../core/answer.ts";
import { formatTimestamp } from "../../core/time.ts";
import { type Author, commit, retrying } from "../../db/commit.ts";
import { fieldsOfCompany } from "../../db/custom_values.ts";
import { companyFields } from "../../db/fields.ts";
import { guardVersions } from "../../db/guards.ts";
import { insert, rawSql, remove, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { TeamDeletion, TeamReassignment } from "./deletion.ts";
import { parseTeam, teamJson } from "./queries.ts";
import { teamHandovers } from "./table.ts";

/** Steps that one run makes for a team; the next run goes on. */
const mostSteps = 500;

export function beginTeamReassignment(
  author: Author,
  { company_id, team_id, heir_id }: TeamDeletion,
): Statement {
  return insert(teamHandovers, { company_id, team_id, heir_id: heir_id!, created_at: author.at });
}

/** What is still on its way to a team goes to that one's heir instead, or stays where it is. */
export function redirectTeamReassignments({ team_id, heir_id }: TeamDeletion): Statement {
  return heir_id === null
    ? remove(teamHandovers, { heir_id: team_id })
    : sql`update team_handovers set heir_id = ${heir_id} where heir_id = ${team_id}`;
}

/** Takes every handover on, `now` in epoch milliseconds; how many steps it made. */
export async function continueTeamReassignments(
  deps: Deps,
  now: number,
  legacy: TeamReassignment,
): Promise<number> {
  const [open] = await deps.db.read([sql`select team_id from team_handovers limit 100`]);
  const author = { deps, now, at: formatTimestamp(now) };
  let steps = 0;
  for (const row of open!.rows) {
    for (let step = 0; step < mostSteps; step++) {
      steps++;
      if (!await retrying(() => oneStep(author, Number(row.team_id), legacy))) break;
    }
  }
  return steps;
}

/** Whether more is left. */
async function oneStep(author: Author, teamId: number, legacy: TeamReassignment): Promise<boolean> {
  const { db } = author.deps;
  const [found] = await db.read([
    sql`select h.company_id, h.heir_id, ${
      rawSql(teamJson("h.heir_id"))
    } as heir from team_handovers h where h.team_id = ${teamId}`,
  ]);
  const row = found!.rows[0];
  if (!row) return false;
  const heir = parseTeam(row.heir);
  const parting = { company_id: Number(row.company_id), team_id: teamId, heir_id: heir.id };
  const [defined, ...results] = await db.read([
    fieldsOfCompany(parting.company_id),
    ...legacy.reads(parting),
  ]);
  const fields = companyFields(defined!.rows[0]?.fields as string | null ?? null, null);
  const handed = legacy.apply({ ...author, fields }, parting, heir, results);
  await commit(author, {
    statements: [
      guardVersions("teams", [heir]),
      ...handed.statements,
      ...(handed.more ? [] : [remove(teamHandovers, { team_id: teamId })]),
    ],
    events: handed.events,
    companyId: parting.company_id,
    answer: noContent,
  });
  return handed.more;
}
