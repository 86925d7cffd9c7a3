/** The budgets of a lead type: of its relations paths together, and of its own data. */
import { checkRecordSize, leadTypeBudget, pathsBudget } from "../../core/budgets.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { sql } from "../../db/statements.ts";
import { type LeadTypeRecord, presentLeadType } from "./present.ts";
import { leadTypesWithPath } from "./with_path.ts";

const pathBytes =
  sql`(select sum(p.bytes) from json_each(relations_path_ids) e join relations_paths p on p.id = e.value)`;

/** Throws 422 `max` for a lead type that grows beyond a budget. */
export function checkLeadType(after: LeadTypeRecord, before: LeadTypeRecord | null): void {
  const own = (type: LeadTypeRecord) => presentLeadType({ ...type, relations_paths: [] });
  checkRecordSize(own(after), "team_settings", before && (() => own(before)), leadTypeBudget);
  const size = sizeOf(after);
  if (size <= pathsBudget || (before && size <= sizeOf(before))) return;
  throw invalid(fieldError("relations_path_ids", "max", tooLarge(size)));
}

/** The read of `checkShowing`: the largest lead type with the path. */
export function largestWith(companyId: number, pathId: string): Statement {
  return sql`select name, ${pathBytes} as bytes from ${leadTypesWithPath(companyId, pathId)}
    order by bytes desc limit 1`;
}

/** Throws 422 `max` when a lead type with the path would grow beyond the budget by these bytes. */
export function checkShowing({ rows: [largest] }: Result, more: number): void {
  if (!largest) return;
  const size = Number(largest.bytes) + more;
  if (size <= pathsBudget) return;
  throw invalid(fieldError("activity_types", "max", `Lead type ${largest.name}: ${tooLarge(size)}`));
}

/** Rejects the batch when the paths of a lead type with this path exceed the budget together. */
export function guardPathsFit(companyId: number, pathId: string): Statement {
  const showing = leadTypesWithPath(companyId, pathId);
  return guardThat(
    "lead_type_size",
    sql`not exists (select 1 from ${showing} and ${pathBytes} > ${pathsBudget})`,
  );
}

/** Guards on the versions of the paths also guard their sizes. */
function sizeOf({ relations_paths }: LeadTypeRecord): number {
  return relations_paths.reduce((total, { bytes }) => total + bytes, 0);
}

function tooLarge(size: number): string {
  return `The relations paths of a lead type would take ${size} bytes together; at most ${pathsBudget}.`;
}
