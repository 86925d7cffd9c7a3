/** The beginning of each step: the import, and what its maker may do now. */
import { type Caller, makeCaller } from "../../core/access.ts";
import type { Right } from "../../core/rights.ts";
import { callerChangesSql, readMemberRow, selectMemberById } from "../../db/caller_guard.ts";
import type { UserAuthor } from "../../db/commit.ts";
import { selectFieldsOfCompany } from "../../db/custom_values.ts";
import { readCompanyFields } from "../../fields/field_sets.ts";
import { selectColumns, sql } from "../../db/statements.ts";
import { readPlacement, selectPlacementFacts } from "../../identity/teams/placement.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import type { Moment } from "../../staged/kind.ts";
import { type FailureCode, type ImportRow, imports } from "./table.ts";

/** The maker, with the import as a step finds it. */
export interface Begun {
  readonly row: ImportRow;
  readonly author: UserAuthor;
  readonly placing: readonly Result[];
  readonly language: string;
  readonly timeZone: string;
  /** Refuses the commit when somebody's rights have changed since they were read. */
  readonly guard: Statement;
}

/** Why an import ends before its time. */
export interface Ended {
  readonly row: ImportRow;
  readonly ends: FailureCode;
}

export function selectImportById(id: string): Statement {
  return sql`select ${selectColumns(imports, "i")} from imports i where i.id = ${id}`;
}

/** Reads the import and its maker. Null: the import is gone. */
export async function begin(
  { deps, db, now, at }: Moment,
  id: string,
): Promise<Begun | Ended | null> {
  const [found] = await db.read([selectImportById(id)]);
  const row = found!.rows[0] as ImportRow | undefined;
  if (!row) return null;
  const named = { team_id: row.team_id, user_id: row.user_id ?? undefined };
  const maker = { userId: row.maker_id, companyId: row.company_id } as Caller;
  const [members, defined, settings, changes, ...placing] = await db.read([
    selectMemberById(row.maker_id),
    selectFieldsOfCompany(row.company_id),
    sql`select locale, timezone from companies where id = ${row.company_id}`,
    sql`select ${callerChangesSql} as n`,
    ...selectPlacementFacts(maker, named),
  ]);
  const member = members!.rows[0] ? readMemberRow(members!.rows[0]) : null;
  if (!member) return { row, ends: "maker_deleted" };
  if (listRights(row).some((right) => !member.rights.has(right))) return { row, ends: "right_missing" };
  if (row.team_id !== null && !readPlacement(placing).team) return { row, ends: "team_deleted" };
  const fields = readCompanyFields(defined!.rows[0]?.fields as string | null ?? null, member);
  const { locale, timezone } = settings!.rows[0]! as { locale: string; timezone: string };
  return {
    row,
    author: {
      // A step is no call of its maker.
      deps: { ...deps, recordCall: () => null },
      now,
      at,
      caller: makeCaller(member),
      fields,
    },
    placing,
    language: locale.slice(0, 2),
    timeZone: timezone,
    guard: guardThat("maker", sql`${callerChangesSql} is ${changes!.rows[0]!.n as number}`),
  };
}

/** The rights that an import needs, at its start and at each step. */
export function listRights(
  { entity, match, on_match }: Pick<ImportRow, "entity" | "match" | "on_match">,
): Right[] {
  if (entity === "leads") return ["imports.manage", "leads.create"];
  if (entity === "products") return ["imports.manage", "products.manage"];
  const changes = match !== "none" && on_match === "update";
  return ["imports.manage", "customers.create", ...(changes ? ["customers.update" as const] : [])];
}
