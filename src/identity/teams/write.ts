import { noContent } from "../../core/answer.ts";
import type { FieldError } from "../../core/errors.ts";
import type { CustomValues } from "../../fields/custom_fields.ts";
import { searchTokens } from "../../core/text.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { changeValues, removeValues } from "../../db/custom_values.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { insert, remove, type Sql, sql, updateVersioned } from "../../db/statements.ts";
import { type FieldsBody, mergeCustom, readFields, valueAt } from "../../fields/values.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import type { GroupRow } from "../groups/record.ts";
import { presentTeam } from "./present.ts";
import { searchScope, type TeamFacts } from "./queries.ts";
import { type TeamRow, teams } from "./record.ts";
import { teamMembers } from "./table.ts";

/**
 * Moves a team into a group, or out of its group for null, and returns 204. `touched` are the statements that
 * guard and update the groups.
 */
export async function moveTeam(
  ctx: Context,
  team: TeamFacts,
  group: GroupRow | null,
  touched: readonly Statement[],
) {
  const { statements, event } = changeTeam(ctx, team, { group_id: group?.id ?? null }, group);
  return await commit(ctx, { statements: [...touched, ...statements], events: [event], answer: noContent });
}

/** The team after a change, with the statements and event of it. */
export interface TeamWrite {
  readonly team: TeamFacts;
  readonly statements: Statement[];
  readonly event: EventDraft;
}

/** Updates a team and guards the version that was read. `group` is its group after the change. */
export function changeTeam(
  ctx: Context,
  before: TeamFacts,
  changes: Partial<Omit<TeamRow, "id" | "company_id" | "version">>,
  group: GroupRow | null,
): TeamWrite {
  const id = before.id!;
  const set = { ...changes, updated_at: ctx.at };
  const team: TeamFacts = { ...before, ...set, group, version: before.version + 1 };
  return {
    team,
    statements: [
      updateVersioned(teams, set, { ...before, id }),
      guardChanged("stale"),
      ...(team.name === before.name ? [] : [indexTeam(sql`${id}`, team)]),
      ...changeValues(
        { owner: sql`${id}`, fields: ctx.fields.all.team.custom },
        JSON.parse(before.custom),
        JSON.parse(team.custom),
      ),
    ],
    event: {
      name: "team_updated",
      // All users of the company can read its teams.
      entity: { type: "team", id, team_id: null, created_by: team.created_by },
      body: presentTeam(team, ctx.now, ctx.fields.all),
    },
  };
}

/** The event of a created team; `body` is the presented team. */
export function draftTeamCreated({ id, created_by }: TeamFacts, body: object): EventDraft {
  // All users of the company can read its teams.
  return { name: "team_created", entity: { type: "team", id, team_id: null, created_by }, body };
}

/** Inserts a team with the id in `team`, which has no custom values. */
export function insertTeam({ group: _, id, ...row }: TeamFacts): Statement[] {
  return [insert(teams, { ...row, id: id! }), indexTeam(sql`${id}`, row)];
}

/** Deletes a team without members, unless it has changed since it was read. */
export function removeTeam(ctx: Context, { id, company_id, version }: TeamFacts): Statement[] {
  return [
    ...removeValues(ctx.fields.all.team.custom, sql`select ${id}`),
    remove(teams, { id: id!, company_id, version }),
    guardChanged("stale"),
  ];
}

/** Merges a request's custom values; adds its errors to `errors`. */
export function mergeTeamFields(
  ctx: Context,
  before: CustomValues,
  body: FieldsBody,
  errors: FieldError[],
): CustomValues {
  const { team } = ctx.fields.seen;
  const { custom } = readFields(body, team, "", errors);
  return mergeCustom(before, custom, team, valueAt(body), errors);
}

/** Makes the user a member of the teams. */
export function joinTeams(userId: Sql, teamIds: readonly number[]): Statement {
  return sql`insert into team_members (user_id, team_id) select ${userId}, value
    from json_each(${JSON.stringify(teamIds)})`;
}

/** Takes the user out of all teams. */
export function leaveTeams(userId: number): Statement {
  return remove(teamMembers, { user_id: userId });
}

export function indexTeam(id: Sql, team: { company_id: number; name: string }): Statement {
  const words = searchTokens(searchScope(team.company_id), [team.name]);
  return sql`insert or replace into teams_search (rowid, words) values (${id}, ${words})`;
}
