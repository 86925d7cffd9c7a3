/** Brings a deleted company back. */
import { noContent } from "../../core/answer.ts";
import { forbidden, notFound } from "../../core/errors.ts";
import { type Author, commit } from "../../db/commit.ts";
import { sql } from "../../db/statements.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { endTokensOfCompany } from "../tokens/revoke.ts";
import { isUntouched } from "./begin_erasure.ts";

/**
 * Brings a deleted company back, and returns its name. Its tokens stay ended. Throws a Problem for a company that does
 * not exist, is not deleted, or is being erased.
 */
export async function restoreCompany(author: Author, id: number): Promise<string> {
  const { deps, at } = author;
  const [found] = await deps.db.read([
    sql`select c.name, c.deleted_at, ${isUntouched} as is_whole from companies c where c.id = ${id}`,
  ]);
  const company = found!.rows[0];
  if (!company) throw notFound(`There is no company ${id}. If it was deleted, its data is erased.`);
  if (company.deleted_at === null) throw forbidden(`Company ${id} is not deleted.`);
  if (company.is_whole !== 1) throw forbidden(`Company ${id} is being erased and cannot come back.`);
  await commit(author, {
    companyId: id,
    statements: [
      ...endTokensOfCompany(id),
      sql`update companies as c set deleted_at = null, updated_at = ${at}, version = version + 1
        where c.id = ${id} and c.deleted_at is not null and ${isUntouched}`,
      guardChanged("stale"),
    ],
    answer: noContent,
  });
  return String(company.name);
}
