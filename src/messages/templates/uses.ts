/** What else names a template: the port that each feature fills for its own records. */
import type { Author } from "../../db/commit.ts";
import { joined, type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

export interface TemplateUse {
  /** SQL after `from`: records that wait to be sent with the template. */
  readonly waiting: (companyId: number, templateId: number) => Sql;
  /** Lets nothing name the deleted template. */
  readonly without: (
    author: Pick<Author, "at">,
    companyId: number,
    templateId: number,
  ) => readonly Statement[];
}

/** SQL: whether something waits that uses the template. */
export function isUsed(uses: readonly TemplateUse[], companyId: number, id: number): Sql {
  const terms = uses.map(({ waiting }) => sql`exists (select 1 from ${waiting(companyId, id)})`);
  return sql`(${joined([sql`0`, ...terms], " or ")})`;
}
