/** Making teams, and moving them between groups. */
import { type Answer, created, noContent, ok } from "../../core/answer.ts";
import {
  type FieldError,
  fieldError,
  forbidden,
  invalid,
  missingReference,
  notFound,
} from "../../core/errors.ts";
import type { CustomValues } from "../../core/fields.ts";
import { searchTokens } from "../../core/text.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { changeValues } from "../../db/custom_values.ts";
import { asSeen } from "../../db/fields.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { guardVersions } from "../../db/guards.ts";
import { insert, lastId, remove, type Sql, sql, updateVersioned } from "../../db/statements.ts";
import { type FieldsBody, mergeCustom, readCustomFields, valueAt } from "../../http/field_values.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { premiumPlan } from "../companies/plans.ts";
import { companyById, readCompany } from "../companies/queries.ts";
import { groupById, readGroup } from "../groups/queries.ts";
import type { GroupFacts } from "../groups/summary.ts";
import { requireReach } from "../permissions.ts";
import { presentTeam } from "./present.ts";
import { readTeams, searchScope, type TeamFacts, teamsByIds } from "./queries.ts";
import type { CreateTeam } from "./schema.ts";
import { teamMembers, type TeamRow, teams } from "./table.ts";

export async function getTeam(ctx: Context, id: number): Promise<Answer> {
  const [found] = await ctx.deps.db.read([teamsByIds(ctx.caller.companyId, [id])]);
  const [team] = readTeams(found!);
  if (!team) throw notFound();
  return ok(presentTeam(team, ctx.now, ctx.fields.seen));
}

/** A group admin makes teams in own groups; a team's time zone and locale are the company's unless named. */
export async function createTeam(ctx: Context, body: CreateTeam): Promise<Answer> {
  const { caller } = ctx;
  const reach = requireReach(caller, "teams.create");
  const groupId = body.group_id ?? null;
  const [companyFound, groupFound] = await ctx.deps.db.read([
    companyById(caller.companyId),
    groupById(caller.companyId, groupId),
  ]);
  const [companyRow, groupRow] = [companyFound!.rows[0], groupFound!.rows[0]];
  if (!companyRow) throw notFound();
  const company = readCompany(companyRow);
  const group = groupRow ? readGroup(groupRow) : null;
  if (groupId !== null && !group) throw invalid(missingReference("group_id", "group"));
  if (reach === "own_groups" && (groupId === null || !caller.groupIds.includes(groupId))) {
    throw forbidden("A user of type group_admin makes teams in own groups only: name one in group_id.");
  }
  if (body.use_social_lookup && company.plan_id !== premiumPlan) {
    throw invalid(fieldError("use_social_lookup", "excluded", "Needs the premium plan."));
  }
  const errors: FieldError[] = [];
  const custom = mergeTeamFields(ctx, {}, body, errors);
  if (errors.length > 0) throw invalid(...errors);
  const row = {
    company_id: caller.companyId,
    group_id: groupId,
    name: body.name,
    address_1: body.address_1 ?? null,
    address_2: body.address_2 ?? null,
    zip_code: body.zip_code ?? null,
    city: body.city ?? null,
    state: body.state ?? null,
    country: body.country ?? null,
    phone_number: body.phone_number ?? null,
    website: body.website ?? null,
    vat: body.vat ?? null,
    timezone: body.timezone?.name ?? company.timezone,
    locale: body.locale?.code ?? company.locale,
    team_type: body.team_type ?? null,
    use_social_lookup: body.use_social_lookup ? 1 : 0,
    custom: JSON.stringify(custom),
    created_by: caller.userId,
    created_at: ctx.at,
    updated_at: ctx.at,
    version: 1,
  };
  const team: TeamFacts = { ...row, id: null, group };
  const presented = presentTeam(team, ctx.now, ctx.fields.all);
  return await commit(ctx, {
    statements: [
      guardVersions("companies", [company]),
      guardVersions("groups", group ? [group] : []),
      insert(teams, row),
      indexTeam(lastId(teams), row),
      ...changeValues({ owner: lastId(teams), fields: ctx.fields.all.team.custom }, {}, custom),
    ],
    events: [{
      name: "team_created",
      entity: { type: "team", id: null, team_id: null, created_by: caller.userId },
      body: presented,
    }],
    answer: created(asSeen(ctx.fields, presented, (fields) => presentTeam(team, ctx.now, fields))),
    idFrom: teams,
  });
}

/**
 * Moves a team that was read into a group, or out of every group with null. `touched` are statements that
 * hold the groups concerned to what was read of them. Answers 204.
 */
export async function moveTeam(
  ctx: Context,
  team: TeamFacts,
  group: GroupFacts | null,
  touched: readonly Statement[],
): Promise<Answer> {
  const { statements, event } = changedTeam(ctx, team, { group_id: group?.id ?? null }, group);
  return await commit(ctx, { statements: [...touched, ...statements], events: [event], answer: noContent });
}

/** The team as it will be, and what makes it so. */
export interface TeamWrite {
  readonly team: TeamFacts;
  readonly statements: Statement[];
  readonly event: EventDraft;
}

/** A team that was read, changed; `group` is the one that it is in afterwards. */
export function changedTeam(
  ctx: Context,
  before: TeamFacts,
  changes: Partial<Omit<TeamRow, "id" | "company_id" | "version">>,
  group: GroupFacts | null,
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
      // Everybody in the company may read its teams, whichever they are in.
      entity: { type: "team", id, team_id: null, created_by: team.created_by },
      body: presentTeam(team, ctx.now, ctx.fields.all),
    },
  };
}

/** The custom values of a team after a request; faults go to `errors`. */
export function mergeTeamFields(
  ctx: Context,
  before: CustomValues,
  body: FieldsBody,
  errors: FieldError[],
): CustomValues {
  const { team } = ctx.fields.seen;
  const given = readCustomFields(body.custom_fields, team, "custom_fields", errors);
  return mergeCustom(before, given, team, valueAt(body), errors);
}

/** Makes the user a member of the teams. */
export function joinTeams(userId: Sql, teamIds: readonly number[]): Statement {
  return sql`insert into team_members (user_id, team_id) select ${userId}, value from json_each(${
    JSON.stringify(teamIds)
  })`;
}

/** Takes the user out of all teams. */
export function leaveTeams(userId: number): Statement {
  return remove(teamMembers, { user_id: userId });
}

function indexTeam(id: Sql, team: { company_id: number; name: string }): Statement {
  const words = searchTokens(searchScope(team.company_id), [team.name]);
  return sql`insert or replace into teams_search (rowid, words) values (${id}, ${words})`;
}
