/** Counts, for the impact of deleting a team, the records that the deletion changes, by the declared references. */
import type { Effect, Effects, References } from "../../db/references.ts";
import { identifier, sql } from "../../db/statements.ts";
import type { TeamPart } from "./deletion.ts";

/** The column by which records belong to a team. */
const column = "team_id";

/** Returns the tables whose records get the successor of a deleted team, or stop. */
export function listTablesOfTeams(references: readonly References[]): string[] {
  return references.filter(({ columns: { [column]: declared } }) =>
    typeof declared === "object" && listEffects(declared.team).some(changes)
  ).map(({ table }) => table);
}

function listEffects(effects: Effects | undefined): readonly Effect[] {
  return effects === undefined ? [] : Array.isArray(effects) ? effects : [effects as Effect];
}

function changes(effect: Effect): boolean {
  return effect !== "keep" && ("stop" in effect || ("then" in effect && effect.then === "reassign"));
}

/** Counts the records of these tables that no other part counts. */
export function countAffected(references: readonly References[], parts: readonly TeamPart[]): TeamPart {
  const counted = new Set(
    parts.flatMap(({ open, countOwned }) =>
      [...open?.(0, sql`0`, "") ?? [], ...countOwned?.(0, 0) ?? []].map(({ type }) => type)
    ),
  );
  const tables = listTablesOfTeams(references).filter((table) => !counted.has(table));
  return {
    countOwned: (companyId, teamId) =>
      tables.map((table) => ({
        type: table,
        number: sql`(select count(*) from ${identifier(table)} where company_id = ${companyId}
          and ${identifier(column)} = ${teamId})`,
      })),
  };
}
