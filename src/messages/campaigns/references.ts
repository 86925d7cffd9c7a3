/** The records that a campaign names: template, relations path, users of the task, the company's domain. */
import { type Caller, seesOwned } from "../../core/access.ts";
import { type FieldError, fieldError, missingReference } from "../../core/errors.ts";
import { selectVisibleTeamIds } from "../../db/scope.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { type Owner, seesOwner } from "../../identity/owners.ts";
import { guardThat, type Result, type Row, type Statement } from "../../platform/database/database.ts";
import { hasDomain } from "../campaign_settings/queries.ts";
import type { CampaignDraft } from "./checks.ts";
import { selectNameOfUser, selectTemplateJson, selectUsersJson } from "./queries.ts";

/** Ids that a body names, or SQL for those of the stored campaign. */
export interface Named {
  readonly template_id: number | null | Sql;
  readonly relations_path_id: string | null | Sql;
  /** A JSON list. */
  readonly users: string | Sql;
  /** The campaign's user, or who takes over that of a deleted user. */
  readonly user_id: number | Sql;
}

/** Reads what `readReferences` needs. */
export function selectReferences(companyId: number, named: Named): Statement[] {
  const [template, path, users, user] = [
    sql`${named.template_id}`,
    sql`${named.relations_path_id}`,
    sql`${named.users}`,
    sql`${named.user_id}`,
  ];
  const seenTeams = selectVisibleTeamIds(sql`u.id`);
  return [
    sql`select ${user} as user_id, ${selectNameOfUser(user)} as user_name,
      ${selectTemplateJson(sql`${companyId}`, template)} as template,
      ${selectUsersJson(users)} as users, ${hasDomain(companyId)} as has_domain`,
    sql`select t.id, t.type, t.team_id, t.group_id, t.kept_for from templates t
      where t.id = ${template} and t.company_id = ${companyId}`,
    sql`select p.id, p.team_id, p.group_id, p.kept_for from relations_paths p
      where p.id = ${path} and p.company_id = ${companyId}`,
    sql`select u.id, u.user_type, (select json_group_array(v.team_id) from (${seenTeams}) v)
      as teams, (select json_group_array(own.group_id) from team_members m join teams own on own.id = m.team_id
      where m.user_id = u.id and own.group_id is not null) as groups from json_each(${users}) d
      join users u on u.id = d.value where u.company_id = ${companyId} and u.deleted_at is null`,
  ];
}

export interface References {
  readonly user_id: number;
  readonly user_name: string;
  /** JSON. */
  readonly template: string | null;
  readonly users: string;
  /** Whether the company has a domain to send campaigns from. */
  readonly hasDomain: boolean;
  readonly templates: Result;
  readonly paths: Result;
  readonly members: Result;
}

/** Reads the results of `selectReferences`. */
export function readReferences(
  [shown, templates, paths, members]: readonly Result[],
): References {
  const row = shown!.rows[0] as
    & Row
    & Pick<References, "user_id" | "user_name" | "template" | "users">;
  const { user_id, user_name, template, users } = row;
  return {
    user_id,
    user_name,
    template,
    users,
    hasDomain: row.has_domain === 1,
    templates: templates!,
    paths: paths!,
    members: members!,
  };
}

/** Adds an error for each record that the caller may not name, or that does not fit the campaign. */
export function checkReferences(
  caller: Caller,
  draft: Pick<CampaignDraft, "type" | "template_id" | "relations_path_id" | "task">,
  owner: Owner,
  found: References,
  errors: FieldError[],
): void {
  if (draft.template_id !== null && draft.type !== "telephone") {
    const template = found.templates.rows[0] as Row & Owner | undefined;
    if (
      !template || template.type !== draft.type || !seesOwner(caller, template)
    ) {
      errors.push(
        missingReference("template_id", `template of type ${draft.type}`),
      );
    }
  }
  if (draft.task === null) return;
  const path = found.paths.rows[0] as Row & Owner | undefined;
  if (draft.relations_path_id !== null && !(path && seesOwned(caller, path))) {
    errors.push(missingReference("task.relations_path", "relations path"));
  }
  const able = new Set(
    found.members.rows.filter((row) => seesOwnersCases(row, owner)).map(({ id }) => id),
  );
  draft.task.distribute_users.forEach((id, index) => {
    if (able.has(id)) return;
    const rule = "There is no such user, or the user does not see the cases of the campaign's team.";
    errors.push(fieldError(`task.distribute_users[${index}]`, "exists", rule));
  });
}

function seesOwnersCases(row: Row, { team_id, group_id }: Owner): boolean {
  if (row.user_type === 1) return true;
  if (team_id !== null) {
    return (JSON.parse(row.teams as string) as number[]).includes(team_id);
  }
  return group_id === null ||
    (JSON.parse(row.groups as string) as number[]).includes(group_id);
}

/** Rejects the batch when a template or relations path was deleted meanwhile. */
export function guardReferences(
  companyId: number,
  draft: Pick<CampaignDraft, "template_id" | "relations_path_id">,
): Statement[] {
  const { template_id: template, relations_path_id: path } = draft;
  return [guardThat(
    "references",
    sql`(${template} is null or exists (select 1 from templates t
      where t.id = ${template} and t.company_id = ${companyId}))
      and (${path} is null or exists (select 1 from relations_paths p
      where p.id = ${path} and p.company_id = ${companyId}))`,
  )];
}
