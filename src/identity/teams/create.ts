import { created } from "../../core/answer.ts";
import { type FieldError, fieldError, forbidden, invalid, missingReference } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { changeValues } from "../../db/custom_values.ts";
import { asSeen } from "../../fields/field_sets.ts";
import { guardVersions, insert, selectLastId } from "../../db/statements.ts";
import { premiumPlan } from "../companies/plans.ts";
import { companyById, readOwn } from "../companies/queries.ts";
import { requireReach } from "../permissions.ts";
import { readGroupFacts, selectGroupFacts } from "./group.ts";
import { presentTeam } from "./present.ts";
import type { TeamFacts } from "./queries.ts";
import { makeInitial } from "../../records/members.ts";
import { type CreateTeam, teamMap, teams } from "./record.ts";
import { draftTeamCreated, indexTeam, mergeTeamFields } from "./write.ts";

/**
 * Creates a team. Group admins create teams in their own groups. Time zone and locale default to the
 * company's.
 */
export async function createTeam(ctx: Context, body: CreateTeam) {
  const { caller } = ctx;
  const reach = requireReach(caller, "teams.create");
  const groupId = body.group_id ?? null;
  const [companyFound, groupFound] = await ctx.deps.db.read([
    companyById(caller.companyId),
    selectGroupFacts(caller.companyId, groupId),
  ]);
  const company = readOwn(companyFound);
  const group = readGroupFacts(groupFound!);
  if (groupId !== null && !group) throw invalid(missingReference("group_id", "group"));
  if (reach === "own_groups" && (groupId === null || !caller.groupIds.includes(groupId))) {
    throw forbidden(
      "A user of type group_admin creates teams in their own groups only: name one in group_id.",
    );
  }
  if (body.use_social_lookup && company.plan_id !== premiumPlan) {
    throw invalid(fieldError("use_social_lookup", "excluded", "Requires the premium plan."));
  }
  const errors: FieldError[] = [];
  const custom = mergeTeamFields(ctx, {}, body, errors);
  if (errors.length > 0) throw invalid(...errors);
  const row = {
    ...makeInitial(teamMap, body),
    company_id: caller.companyId,
    timezone: body.timezone?.name ?? company.timezone,
    locale: body.locale?.code ?? company.locale,
    custom: JSON.stringify(custom),
    created_by: caller.userId,
    created_at: ctx.at,
    updated_at: ctx.at,
  };
  const team: TeamFacts = { ...row, id: null, group };
  const presented = presentTeam(team, ctx.now, ctx.fields.all);
  return await commit(ctx, {
    statements: [
      guardVersions("companies", [company]),
      guardVersions("groups", group ? [group] : []),
      insert(teams, row),
      indexTeam(selectLastId(teams), row),
      ...changeValues({ owner: selectLastId(teams), fields: ctx.fields.all.team.custom }, {}, custom),
    ],
    events: [draftTeamCreated(team, presented)],
    answer: created(asSeen(ctx.fields, presented, (fields) => presentTeam(team, ctx.now, fields))),
    idFrom: teams,
  });
}
