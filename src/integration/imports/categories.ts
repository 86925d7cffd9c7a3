/** The categories that rows of products name. */
import { fieldError, Problem } from "../../core/errors.ts";
import { foldText } from "../../core/text.ts";
import { sql } from "../../db/statements.ts";
import { parseValid } from "../../http/validate.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { selectAllCategories } from "../../sales/categories/queries.ts";
import { CategoryBody, type CategoryRow } from "../../sales/categories/record.ts";
import { insertCategory, makeCategory, newestCategory } from "../../sales/categories/write.ts";
import type { Draft } from "./drafts.ts";
import { markOfCategory } from "./own_values.ts";
import type { ImportRow } from "./table.ts";

/** A category that rows need and nobody has made yet. */
export interface MissingCategory {
  readonly row: number;
  readonly name: string;
}

/** The read of `Categories`. */
export function selectNamedCategories({ company_id }: ImportRow, drafts: readonly Draft[]): Statement[] {
  return drafts.some(({ categories }) => categories) ? [selectAllCategories(company_id)] : [];
}

/** The categories of a step by their names, without case. Of several with one name, the oldest. */
export class Categories {
  readonly #known = new Map<string, CategoryRow>();
  readonly #at: string;
  readonly #companyId: number;

  constructor(companyId: number, at: string, found: Result | undefined) {
    this.#companyId = companyId;
    this.#at = at;
    for (const row of found?.rows ?? []) {
      const category = row as CategoryRow;
      const key = foldText(category.name.trim());
      if (!this.#known.has(key)) this.#known.set(key, category);
    }
  }

  /** Returns the category of a name. One that is to be made has a negative id. Throws 422. */
  findOrAdd(name: string): CategoryRow {
    const key = foldText(name.trim());
    const known = this.#known.get(key);
    if (known) return known;
    const body = parseValid(CategoryBody, { name: name.trim() }, "");
    const made: CategoryRow = {
      ...makeCategory(this.#companyId, this.#at, body),
      id: -1 - this.#known.size,
      version: 1,
    };
    this.#known.set(key, made);
    return made;
  }
}

/** Makes categories, and records them for the revert. */
export function makeCategories(
  { id, company_id }: ImportRow,
  missing: readonly MissingCategory[],
  at: string,
): Statement[] {
  const once = new Map(missing.toReversed().map((each) => [foldText(each.name), each]));
  return [...once.values()].toReversed().flatMap(({ row, name }) => [
    ...insertCategory(makeCategory(company_id, at, { name })),
    sql`insert into import_changes (import_id, row, entity, record_id, before, after)
      values (${id}, ${row}, 'categories', ${newestCategory}, null, ${markOfCategory({ name })})`,
  ]);
}

/** Returns the message of the first fault of a refusal. Throws other errors. */
export function readFirstFault(error: unknown) {
  if (!(error instanceof Problem)) throw error;
  return error.more.errors?.[0] ?? fieldError("", "format", error.detail);
}
