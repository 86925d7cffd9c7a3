/** The products of an offer, as the activity offers them: later changes of a product do not apply. */
import { type FieldError, missingReference } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { foldedTexts } from "../../core/text.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions } from "../../db/guards.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import type { ProductDetail, ProductLine } from "../case_parts/product_details.ts";
import { productsOffered } from "../products/queries.ts";
import type { CreateActivityBody } from "./schema.ts";

type Given = CreateActivityBody["product_details"];

interface Offered {
  readonly id: string;
  readonly name: string;
  readonly type: string | null;
  readonly list_price: number | null;
  readonly version: number;
}

/** Reads the products of the body, for `productDetails`. */
export function productsOf(ctx: Context, given: Given): Statement {
  return productsOffered(
    ctx.caller.companyId,
    (given ?? []).flatMap(({ products }) => products.map(({ id }) => id)),
  );
}

/** Adds an error for each product that does not exist. */
export function checkProducts(given: Given, offered: Result, errors: FieldError[]): void {
  const known = new Set(offered.rows.map(({ id }) => id));
  given?.forEach(({ products }, detail) => {
    products.forEach(({ id }, index) => {
      if (known.has(id)) return;
      errors.push(missingReference(`product_details[${detail}].products[${index}].id`, "product"));
    });
  });
}

/**
 * The details that the activity stores. The default quantity is 1, the default price the list price. The
 * guards reject the batch when a product has changed since it was read.
 */
export function productDetails(
  ctx: Context,
  given: Given,
  created_at: string,
  offered: Result,
): { details: readonly ProductDetail[]; guards: Statement[] } {
  const byId = new Map(offered.rows.map((row) => [row.id as string, row as Offered & Row]));
  const details = (given ?? []).map(({ products }) => ({
    id: newId(ctx.now),
    products: products.map((line) => lineOf(line, byId.get(line.id)!)),
    created_at,
    updated_at: ctx.at,
  }));
  return { details, guards: byId.size > 0 ? [guardVersions("products", [...byId.values()])] : [] };
}

function lineOf(
  line: NonNullable<Given>[number]["products"][number],
  { id, name, type, list_price }: Offered,
): ProductLine {
  const comment = line.comment ?? null;
  const folded = foldedTexts({ name, comment });
  return {
    id,
    name,
    quantity: line.quantity ?? 1,
    type,
    price: line.price ?? list_price,
    discount: line.discount ?? null,
    comment,
    folded: folded === null ? null : JSON.parse(folded),
  };
}
