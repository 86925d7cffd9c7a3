/**
 * The uses of a template by other records: the interface that each feature implements for its own records.
 */
import type { Author } from "../../db/commit.ts";
import { identifier, joined, type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";

export interface TemplateUse {
  /** The type of these records in `impact`. */
  readonly type: string;
  /** SQL after `from`: records that wait to be sent with the template. */
  readonly waiting: (companyId: number, templateId: number) => Sql;
  /** Removes the deleted template from the records that name it. */
  readonly without: (
    author: Pick<Author, "at">,
    companyId: number,
    templateId: number,
  ) => readonly Statement[];
}

/** Reads the number of records that wait with the template, by their type, for `blockingOf`. */
export function usesRead(uses: readonly TemplateUse[], companyId: number, id: number): Statement {
  const counts = uses.map(({ type, waiting }) =>
    sql`(select count(*) from ${waiting(companyId, id)}) as ${identifier(type)}`
  );
  return sql`select ${joined(counts, ", ")}`;
}

/** The impact of deleting a template: the records that wait to be sent with it. */
export function impactOf(uses: readonly TemplateUse[], { rows: [row] }: Result) {
  const blocked_by = uses.map(({ type }) => ({ type, amount: Number(row![type]), attribute: "template_id" }));
  return { blocked_by: blocked_by.filter(({ amount }) => amount > 0), deletes: [] };
}

/** SQL: whether a record that uses the template waits to be sent. */
export function isUsed(uses: readonly TemplateUse[], companyId: number, id: number): Sql {
  const terms = uses.map(({ waiting }) => sql`exists (select 1 from ${waiting(companyId, id)})`);
  return sql`(${joined([sql`0`, ...terms], " or ")})`;
}
