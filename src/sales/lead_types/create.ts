/** A new lead type. */
import { type Answer, created } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { loweredTexts } from "../../core/text.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert, statement } from "../../db/statements.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";
import { checkOwner, ownerFacts, ownerGuards } from "../paths/ownership.ts";
import { type PathRecord } from "../paths/present.ts";
import { pathJson, seesOwned } from "../paths/queries.ts";
import { type LeadTypeRecord, presentLeadType } from "./present.ts";
import type { CreateLeadTypeBody } from "./schema.ts";
import { leadTypes } from "./table.ts";

export async function createLeadType(ctx: Context, body: CreateLeadTypeBody): Promise<Answer> {
  const { companyId } = ctx.caller;
  const owner = { team_id: body.team_id ?? null, group_id: null };
  const [owners, paths, users, members] = await ctx.deps.db.read([
    ownerFacts(companyId, owner),
    pathsOf(companyId, body.relations_path_ids),
    usersOf(companyId, body.escalation_user_ids ?? []),
    membersOf(companyId, body.team_settings ?? []),
  ]);
  const facts = owners!.rows[0]!;
  checkOwner(ctx.caller, owner, facts);
  const found = new Map(
    paths!.rows.map((row) => [row.id as string, JSON.parse(row.path as string) as PathRecord]),
  );
  const userIds = new Set(users!.rows.map((row) => row.id as number));
  const errors = [
    ...body.relations_path_ids.flatMap((id, index) => {
      const path = found.get(id);
      return path && seesOwned(ctx.caller, path)
        ? []
        : [missingReference(`relations_path_ids[${index}]`, "relations path")];
    }),
    ...(body.escalation_user_ids ?? []).flatMap((id, index) =>
      userIds.has(id) ? [] : [missingReference(`escalation_user_ids[${index}]`, "user")]
    ),
    ...teamSettingErrors(body, members!.rows),
  ];
  if (errors.length > 0) throw invalid(...errors);

  const type = newLeadType(ctx, body, body.relations_path_ids.map((id) => found.get(id)!));
  const { relations_paths: _, ...row } = type;
  return await commit(ctx, {
    statements: [
      ...ownerGuards(companyId, owner, facts),
      pathsGuard(type.relations_paths),
      insert(leadTypes, {
        ...row,
        escalation_user_ids: JSON.stringify(type.escalation_user_ids),
        team_settings: JSON.stringify(type.team_settings),
      }),
    ],
    answer: created(presentLeadType(type)),
  });
}

function newLeadType(ctx: Context, body: CreateLeadTypeBody, paths: readonly PathRecord[]): LeadTypeRecord {
  return {
    id: newId(ctx.now),
    company_id: ctx.caller.companyId,
    team_id: body.team_id ?? null,
    name: body.name,
    lowered: loweredTexts({ name: body.name }),
    icon: body.icon ?? null,
    entity_type: body.entity_type ?? "account",
    relations_path_ids: JSON.stringify(body.relations_path_ids),
    escalation_accept: body.escalation_accept ?? null,
    escalation_activity: body.escalation_activity ?? null,
    escalation_ignore_weekends: body.escalation_ignore_weekends ? 1 : 0,
    escalation_user_ids: body.escalation_user_ids ?? [],
    disabled: body.disabled ? 1 : 0,
    highlighted: body.highlighted ? 1 : 0,
    team_settings: (body.team_settings ?? []).map((setting) => ({
      team_id: setting.team_id,
      relations_path_id: setting.relations_path_id ?? null,
      user_id: setting.user_id ?? null,
    })),
    created_by: ctx.caller.userId,
    created_at: ctx.at,
    updated_at: ctx.at,
    version: 1,
    relations_paths: paths,
  };
}

function pathsOf(companyId: number, ids: readonly string[]): Statement {
  return statement(
    `select p.id, ${pathJson} as path from json_each(?) e join relations_paths p on p.id = e.value ` +
      "where p.company_id = ?",
    JSON.stringify(ids),
    companyId,
  );
}

function usersOf(companyId: number, ids: readonly number[]): Statement {
  return statement(
    "select u.id from json_each(?) e join users u on u.id = e.value where u.company_id = ? and u.deleted_at is null",
    JSON.stringify(ids),
    companyId,
  );
}

/** By place in the list: whether the team is there, and whether the user belongs to it. */
function membersOf(companyId: number, settings: CreateLeadTypeBody["team_settings"] & object): Statement {
  return statement(
    "select e.key as place, t.id as team_id, m.user_id from json_each(?) e " +
      "left join teams t on t.id = e.value ->> 'team_id' and t.company_id = ? " +
      "left join team_members m on m.team_id = t.id and m.user_id = e.value ->> 'user_id'",
    JSON.stringify(settings),
    companyId,
  );
}

function teamSettingErrors(body: CreateLeadTypeBody, rows: readonly Row[]): FieldError[] {
  const byPlace = new Map(rows.map((row) => [Number(row.place), row]));
  return (body.team_settings ?? []).flatMap((setting, index) => {
    const at = `team_settings[${index}]`;
    const row = byPlace.get(index);
    if (!row || row.team_id === null) return [missingReference(`${at}.team_id`, "team")];
    const errors: FieldError[] = [];
    if (setting.relations_path_id && !body.relations_path_ids.includes(setting.relations_path_id)) {
      errors.push(fieldError(`${at}.relations_path_id`, "exists", "Must be one of relations_path_ids."));
    }
    if (setting.user_id && row.user_id === null) {
      errors.push(fieldError(`${at}.user_id`, "exists", "The user does not belong to that team."));
    }
    return errors;
  });
}

/** The answer shows the paths, so they must still be as they were read. */
function pathsGuard(paths: readonly PathRecord[]): Statement {
  return guardThat(
    "relations_paths",
    "(select count(*) from json_each(?) e join relations_paths p on p.id = e.value ->> 0 " +
      "and p.version = e.value ->> 1) = ?",
    [JSON.stringify(paths.map((path) => [path.id, path.version])), paths.length],
  );
}
