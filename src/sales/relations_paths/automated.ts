/** Automated communications that the activities of a type start. */
import type { Caller } from "../../core/access.ts";
import { type FieldError, missingReference } from "../../core/errors.ts";
import { type Owner, seesOwner } from "../../identity/owners.ts";
import { sql } from "../../db/statements.ts";
import { guardThat, type Result, type Row, type Statement } from "../../platform/database/database.ts";
import { type ActivityTypeChange, activityTypeKinds } from "./schema.ts";

type Given = {
  readonly [K in (typeof activityTypeKinds)[number]]?: readonly ActivityTypeChange[] | null | undefined;
};

/** Reads the automated communications that the activity types name, for `checkAutomated`. */
export function selectNamedAutomated(companyId: number, given: Given | null | undefined): Statement {
  return sql`select d.id, d.team_id, d.group_id, d.kept_for from automated_communications d
    where d.company_id = ${companyId} and d.id in (select value
    from json_each(${JSON.stringify(idsIn(given))}))`;
}

/**
 * Adds an error for each automated communication that does not exist or that the caller does not see.
 * `before`: ids that the path already names, which stay allowed.
 */
export function checkAutomated(
  caller: Caller,
  given: Given | null | undefined,
  found: Result,
  errors: FieldError[],
  before: readonly string[] = [],
): void {
  const existing = new Set(found.rows.map(({ id }) => String(id)));
  const visible = new Set([
    ...found.rows.filter((row) => seesOwner(caller, row as Row & Owner)).map(({ id }) => String(id)),
    ...before.filter((id) => existing.has(id)),
  ]);
  for (const kind of activityTypeKinds) {
    given?.[kind]?.forEach(({ automated_communications: ids }, index) => {
      ids?.forEach((id, position) => {
        if (visible.has(id)) return;
        const at = `activity_types.${kind}[${index}].automated_communications[${position}]`;
        errors.push(missingReference(at, "automated communication"));
      });
    });
  }
}

/** Rejects the batch when one of the automated communications was deleted meanwhile. */
export function guardAutomated(companyId: number, given: Given | null | undefined): Statement[] {
  const ids = idsIn(given);
  if (ids.length === 0) return [];
  return [guardThat(
    "automated",
    sql`(select count(*) from automated_communications d where d.company_id = ${companyId}
      and d.id in (select value from json_each(${JSON.stringify(ids)}))) = ${ids.length}`,
  )];
}

function idsIn(given: Given | null | undefined): string[] {
  const types = activityTypeKinds.flatMap((kind) => given?.[kind] ?? []);
  return [...new Set(types.flatMap(({ automated_communications }) => automated_communications ?? []))];
}
