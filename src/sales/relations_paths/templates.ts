/** Templates of messages that activity types suggest. */
import type { Caller } from "../../core/access.ts";
import { type FieldError, missingReference } from "../../core/errors.ts";
import { type Owner, seesOwner } from "../../identity/owners.ts";
import { sql } from "../../db/statements.ts";
import { guardThat, type Result, type Row, type Statement } from "../../platform/database/database.ts";
import { type ActivityTypeChange, activityTypeKinds } from "./schema.ts";

type Given = {
  readonly [K in "milestones" | "supportive"]?: readonly ActivityTypeChange[] | null | undefined;
};

/** Reads the templates that the activity types name, for `checkTemplates`. */
export function selectNamedTemplates(companyId: number, given: Given | null | undefined): Statement {
  return sql`select t.id, t.team_id, t.group_id, t.kept_for from templates t where t.company_id = ${companyId}
    and t.id in (select value from json_each(${JSON.stringify(idsIn(given))}))`;
}

/** Adds an error for each template that does not exist or that the caller does not see. */
export function checkTemplates(
  caller: Caller,
  given: Given | null | undefined,
  found: Result,
  errors: FieldError[],
): void {
  const visible = new Set(
    found.rows.filter((row) => seesOwner(caller, row as Row & Owner)).map(({ id }) => Number(id)),
  );
  for (const kind of activityTypeKinds) {
    given?.[kind]?.forEach(({ template_id }, index) => {
      if (!template_id || visible.has(template_id)) return;
      errors.push(missingReference(`activity_types.${kind}[${index}].template_id`, "template"));
    });
  }
}

/** Rejects the batch when one of the templates was deleted meanwhile. */
export function guardTemplates(companyId: number, given: Given | null | undefined): Statement[] {
  const ids = idsIn(given);
  if (ids.length === 0) return [];
  return [guardThat(
    "templates",
    sql`(select count(*) from templates t where t.company_id = ${companyId}
      and t.id in (select value from json_each(${JSON.stringify(ids)}))) = ${ids.length}`,
  )];
}

function idsIn(given: Given | null | undefined): number[] {
  const types = [...(given?.milestones ?? []), ...(given?.supportive ?? [])];
  return [...new Set(types.flatMap(({ template_id }) => template_id ?? []))];
}
