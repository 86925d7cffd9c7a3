/** The names of the groups of a report: each read once, however many rows name its id. */
import { sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { Grouping } from "../indicators/catalogue.ts";
import { nameSql } from "./conditions.ts";
import type { Id, NameOf } from "./groups.ts";
import type { Question, Reader } from "./question.ts";

/** Reads the names of the ids in the rows, also of those that are deleted. */
export async function readNames(
  { deps, company }: Reader,
  { groupBy }: Question,
  results: readonly Result[],
): Promise<NameOf> {
  const reads: { readonly position: number; readonly statement: Statement }[] = [];
  groupBy.forEach((grouping, position) => {
    const name = nameSql(company.id, grouping, sql`j.value`);
    const ids = name ? idsAt(position, results) : [];
    if (ids.length === 0) return;
    const statement = sql`select j.value as id, ${name!} as name from json_each(${JSON.stringify(ids)}) j`;
    reads.push({ position, statement });
  });
  const aside = { effort: "scan", company: company.id } as const;
  const found = reads.length === 0 ? [] : await deps.db.readAside(reads.map((read) => read.statement), aside);
  const known = new Map(reads.map(({ position }, index) => [
    position,
    new Map(found[index]!.rows.map(({ id, name }) => [id as Id, name as string | null])),
  ]));
  return (position, id) => {
    const grouping: Grouping = groupBy[position]!;
    // The name of a source is the source itself.
    return grouping === "lead_source" ? id as string | null : known.get(position)?.get(id) ?? null;
  };
}

function idsAt(position: number, results: readonly Result[]): Id[] {
  const column = `g${position}`;
  const ids = new Set<Id>();
  for (const { rows } of results) {
    for (const row of rows) {
      const id = row[column] as Id | undefined ?? null;
      if (id !== null) ids.add(id);
    }
  }
  return [...ids];
}
