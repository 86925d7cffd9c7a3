/** A step of the revert of products and leads, which imports only make: the newest ones, each deleted. */
import type { UserAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { sql } from "../../db/statements.ts";
import { selectRecordsWithFiles } from "../../customers/attached_files.ts";
import { filterReasons } from "../../customers/fields/stored_filter.ts";
import { namesRecord, type StopFilters } from "../../customers/fields/stop_filters.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { selectCategoriesByIds } from "../../sales/categories/queries.ts";
import type { CategoryRow } from "../../sales/categories/record.ts";
import { removeCategory } from "../../sales/categories/write.ts";
import { removeLead } from "../../sales/leads/delete.ts";
import { isExpired, readLeadRow } from "../../sales/leads/parts.ts";
import { selectLeadsByIds } from "../../sales/leads/queries.ts";
import { removeProducts, stopProductFilters } from "../../sales/products/delete.ts";
import {
  readProductRow,
  selectNamedProducts,
  selectProductsAmong,
  selectUsedCategories,
} from "../../sales/products/queries.ts";
import { draftProductEvent } from "../../sales/products/write.ts";
import type { Moment, Step } from "../../staged/kind.ts";
import type { Begun } from "./begin.ts";
import { type Change, composeRevertedStep, type KeptChange, type KeptReason } from "./revert_progress.ts";
import type { Progress } from "./rows_step.ts";
import { markOfCategory, markOfLead, markOfProduct } from "./own_values.ts";

type Made = Change<string>;

/** The deletion of a record, or why it stays. */
type Deletion = KeptReason | {
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
};

/** The reads of `decideDeletions`. */
function selectMade(companyId: number, changes: readonly Made[]): Statement[] {
  const listIds = (wanted: string) =>
    changes.filter(({ entity }) => entity === wanted).map(({ record_id }) => record_id);
  const products = sql`select value from json_each(${JSON.stringify(listIds("products"))})`;
  return [
    selectProductsAmong(companyId, products, -1),
    selectNamedProducts(listIds("products")),
    selectCategoriesByIds(companyId, listIds("categories").map(Number)),
    selectUsedCategories(listIds("categories").map(Number)),
    selectLeadsByIds(companyId, listIds("leads")),
    selectRecordsWithFiles("lead", listIds("leads")),
  ];
}

/**
 * Returns what becomes of each record. A category follows its products: the deletions end before one whose products
 * are being removed.
 */
function decideDeletions(
  author: UserAuthor,
  changes: readonly Made[],
  [products, named, categories, used, leads, attached]: readonly Result[],
  stopFilters: StopFilters,
): Deletion[] {
  const has = (result: Result, id: string) => result.rows.some((row) => String(row.id) === id);
  const deletions: Deletion[] = [];
  for (const { entity, record_id: id, after } of changes) {
    if (entity === "categories" && changes[deletions.length - 1]?.entity === "products") break;
    deletions.push(decideDeletion(entity, id, after));
  }
  return deletions;

  function decideDeletion(entity: string, id: string, after: string): Deletion {
    if (entity === "leads") {
      const row = leads!.rows.find((each) => each.id === id);
      const lead = row && readLeadRow(row);
      if (!lead || isExpired(lead, author.at)) return "deleted";
      if (markOfLead(lead) !== after) return "changed";
      if (has(attached!, id)) return "in_use";
      const { statements, event } = removeLead(author, lead);
      return { statements, events: [event] };
    }
    if (entity === "categories") {
      const category = categories!.rows.find((each) => String(each.id) === id) as CategoryRow | undefined;
      if (!category) return "deleted";
      if (markOfCategory(category) !== after) return "changed";
      if (has(used!, id)) return "in_use";
      const names = namesRecord("category", sql`select ${category.id}`, true);
      return {
        statements: [
          ...stopFilters(author, author.caller.companyId, names, filterReasons.category),
          ...removeCategory(category),
        ],
        events: [],
      };
    }
    const row = products!.rows.find((each) => each.id === id);
    if (!row) return "deleted";
    const product = readProductRow(row);
    if (markOfProduct(product) !== after) return "changed";
    if (has(named!, id)) return "in_use";
    return {
      statements: [
        ...stopProductFilters(author, [product], stopFilters),
        ...removeProducts(author, [product]),
      ],
      events: [draftProductEvent("product_deleted", product, author)],
    };
  }
}

/** Removes products or leads that the import made. */
export async function planDeletions(
  { db }: Moment,
  begun: Begun,
  progress: Progress,
  changes: readonly Change<string>[],
  stopFilters: StopFilters,
): Promise<Step> {
  const { row, author } = begun;
  const deletions = progress.refused
    ? ["in_use" as const]
    : decideDeletions(author, changes, await db.read(selectMade(row.company_id, changes)), stopFilters);
  const kept: KeptChange[] = [];
  const statements: Statement[] = [];
  const events: EventDraft[] = [];
  for (const [place, deletion] of deletions.entries()) {
    if (typeof deletion === "string") kept.push({ change: changes[place]!, reason: deletion });
    else {
      statements.push(...deletion.statements);
      events.push(...deletion.events);
    }
  }
  const deleted = deletions.length - kept.length;
  const last = changes[deletions.length - 1]!;
  return composeRevertedStep(begun, last, { deleted, restored: 0, kept }, { statements, events });
}
