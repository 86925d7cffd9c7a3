/**
 * The uses of a template by other records: the interface that each feature implements for its own records.
 */
import type { Author } from "../../db/commit.ts";
import { joined, type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

export interface TemplateUse {
  /** SQL after `from`: records that wait to be sent with the template. */
  readonly waiting: (companyId: number, templateId: number) => Sql;
  /** Removes the deleted template from the records that name it. */
  readonly without: (
    author: Pick<Author, "at">,
    companyId: number,
    templateId: number,
  ) => readonly Statement[];
}

/** SQL: whether a record that uses the template waits to be sent. */
export function isUsed(uses: readonly TemplateUse[], companyId: number, id: number): Sql {
  const terms = uses.map(({ waiting }) => sql`exists (select 1 from ${waiting(companyId, id)})`);
  return sql`(${joined([sql`0`, ...terms], " or ")})`;
}
