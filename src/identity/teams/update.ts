import { ok } from "../../core/answer.ts";
import {
  type FieldError,
  fieldError,
  forbidden,
  invalid,
  missingReference,
  notFound,
} from "../../core/errors.ts";
import { markShown } from "../../db/alters.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { asSeen } from "../../fields/field_sets.ts";
import { guardVersions } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { premiumPlan } from "../companies/plans.ts";
import { companyById, type CompanyFacts, readOwn } from "../companies/queries.ts";
import { reaches, requireReach } from "../permissions.ts";
import { readGroupFacts, selectGroupFacts, touchGroups } from "./group.ts";
import { presentTeam } from "./present.ts";
import { readTeams, selectTeamsByIds, type TeamFacts } from "./queries.ts";
import { makeChanges } from "../../records/members.ts";
import { teamMap, type UpdateTeam } from "./record.ts";
import { changeTeam, mergeTeamFields } from "./write.ts";

/**
 * Returns 200 with the updated team. Absent fields keep their values; null resets time zone and locale to the
 * company's.
 */
export async function updateTeam(ctx: Context, id: number, body: UpdateTeam) {
  const { caller } = ctx;
  const reach = requireReach(caller, "teams.update");
  const [teamFound, companyFound, groupFound] = await ctx.deps.db.read([
    selectTeamsByIds(caller.companyId, [id]),
    companyById(caller.companyId),
    selectGroupFacts(caller.companyId, body.group_id ?? null),
  ]);
  const [before] = readTeams(teamFound!);
  if (!before) throw notFound();
  const company = readOwn(companyFound);
  if (!reaches(caller, reach, { id, group_id: before.group_id })) {
    throw forbidden("You may not change this team.");
  }
  checkMatch(ctx, () => presentTeam(before, ctx.now, ctx.fields.seen));
  const moves = body.group_id !== undefined && body.group_id !== before.group_id;
  if (moves) requireReach(caller, "groups.write");
  const target = readGroupFacts(groupFound!);
  const errors: FieldError[] = [];
  if (moves && body.group_id !== null && !target) errors.push(missingReference("group_id", "group"));
  if (body.use_social_lookup && company.plan_id !== premiumPlan) {
    errors.push(fieldError("use_social_lookup", "excluded", "Requires the premium plan."));
  }
  const custom = mergeTeamFields(ctx, JSON.parse(before.custom), body, errors);
  if (errors.length > 0) throw invalid(...errors);

  const group = moves ? target : before.group;
  const write = changeTeam(
    ctx,
    before,
    {
      ...makeTeamChanges(before, body, company),
      group_id: group?.id ?? null,
      custom: JSON.stringify(custom),
    },
    group,
  );
  const around = [before.group, group].filter((one) => one !== null);
  return await commit(ctx, {
    statements: [
      guardVersions("companies", [company]),
      // Groups show their teams, so both the old and the new group change.
      ...markShown(touchGroups(moves ? around : around.slice(0, 1))),
      ...write.statements,
    ],
    events: [write.event],
    answer: ok(
      asSeen(ctx.fields, write.event.body, (fields) => presentTeam(write.team, ctx.now, fields)),
    ),
  });
}

function makeTeamChanges(before: TeamFacts, body: UpdateTeam, company: CompanyFacts) {
  const { timezone, locale } = body;
  return {
    ...makeChanges(teamMap, body, before),
    timezone: timezone === undefined || timezone?.name === undefined && timezone !== null
      ? before.timezone
      : timezone?.name ?? company.timezone,
    locale: locale === undefined || locale?.code === undefined && locale !== null
      ? before.locale
      : locale?.code ?? company.locale,
  };
}
