/** Decides what becomes of a row of products: the same as of a single call, for a commit of several rows. */
import { counts } from "../../core/budgets.ts";
import { decideNewProduct } from "../../sales/products/create.ts";
import { presentProduct } from "../../sales/products/record.ts";
import { type Categories, type MissingCategory, readFirstFault } from "./categories.ts";
import { attempt, type Deciding, failed, type Outcome, pickFields } from "./decisions.ts";
import { addFault, type Draft } from "./drafts.ts";
import { markOfProduct } from "./own_values.ts";

/** Decides on a row of products. `missing`: the categories that are made before it. */
export function decideProduct(
  { author }: Deciding,
  draft: Draft,
  categories: Categories,
): Outcome & { readonly missing: readonly MissingCategory[] } {
  const names = draft.categories ?? [];
  if (names.length > counts.categories) {
    addFault(draft, "self", "category", "max", `At most ${counts.categories} categories.`);
  }
  const chosen = names.slice(0, counts.categories).flatMap((name) => {
    try {
      return categories.findOrAdd(name);
    } catch (error) {
      const { code, message } = readFirstFault(error);
      addFault(draft, "self", "category", code, message);
      return [];
    }
  });
  const body = { ...pickFields(draft.self), category: { id: chosen.map(({ id }) => id) } };
  const named = [{ rows: chosen, changes: 0 }, { rows: [], changes: 0 }];
  const decided = attempt(draft, "self", "name", () => decideNewProduct(author, body, named));
  if (!decided || draft.faults.length > 0) return { ...failed, missing: [] };
  const { product, change } = decided;
  return {
    action: "create",
    record: () => presentProduct(product, author.fields.seen),
    statements: change.statements,
    events: change.events ?? [],
    changes: [{
      row: draft.row,
      entity: "products",
      record_id: product.id,
      before: null,
      after: markOfProduct(product),
    }],
    missing: chosen.filter(({ id }) => id < 0).map(({ name }) => ({ row: draft.row, name })),
  };
}
