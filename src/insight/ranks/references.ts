/** The records that the settings of a new rank refer to. */
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { type Caller, seesOwned } from "../../core/access.ts";
import { sql } from "../../db/statements.ts";
import type { Owner } from "../../identity/owners.ts";
import { guardThat, type Result, type Row, type Statement } from "../../platform/database/database.ts";
import type { RankBody } from "./record.ts";

/** Reads the path and the milestone of the body for `checkSettings`. */
export function selectSettings(companyId: number, { settings }: RankBody): Statement {
  return sql`select p.name, p.team_id, p.group_id, p.kept_for, t.id as milestone_id, t.set_status from relations_paths p
    left join activity_types t on t.id = ${settings?.milestone_id ?? null} and t.relations_path_id = p.id
      and t.is_milestone = 1 and t.retired_at is null
    where p.id = ${settings?.relations_path_id ?? null} and p.company_id = ${companyId}`;
}

/** Returns the row of the path; null for a rule without settings. Throws 422 unless the settings fit the rule. */
export function checkSettings(caller: Caller, { rule, settings }: RankBody, found: Result): Row | null {
  const errors: FieldError[] = [];
  if (rule !== "conversion_rate") {
    if (!settings) return null;
    throw invalid(fieldError("settings", "excluded", `A rank of the rule ${rule} has no settings.`));
  }
  for (const name of ["relations_path_id", "milestone_id"] as const) {
    if (!settings?.[name]) {
      errors.push(fieldError(`settings.${name}`, "required", "A rank of the rule conversion_rate names it."));
    }
  }
  if (errors.length > 0) throw invalid(...errors);
  const path = found.rows[0] as Row & Owner | undefined;
  if (!path || !seesOwned(caller, path)) {
    throw invalid(missingReference("settings.relations_path_id", "relations path"));
  }
  if (path.milestone_id === null) {
    throw invalid(fieldError("settings.milestone_id", "exists", "The path has no such milestone."));
  }
  if (path.set_status === "closed") {
    throw invalid(fieldError("settings.milestone_id", "excluded", "The milestone closes the case."));
  }
  return path;
}

/** Refuses the batch when, since `checkSettings`, the milestone was removed or set to close the case. */
export function guardSettings(milestoneId: string): Statement {
  return guardThat(
    "milestone",
    sql`exists (select 1 from activity_types t where t.id = ${milestoneId} and t.retired_at is null
      and t.set_status is not 'closed')`,
  );
}
