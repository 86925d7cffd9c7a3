/** The products of an offer, as the activity offers them: later changes of a product do not apply. */
import { type FieldError, missingReference } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { plain } from "../../core/json.ts";
import { foldedTexts } from "../../core/text.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions } from "../../db/guards.ts";
import { sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { productsOffered } from "../products/queries.ts";
import type { CreateActivityBody } from "./schema.ts";

/** One product of a detail. */
interface ProductLine {
  readonly id: string;
  readonly name: string;
  readonly quantity: number;
  readonly type: string | null;
  readonly price: number | null;
  readonly discount: number | null;
  readonly comment: string | null;
  /** Case-folded texts, where SQLite's `lower` gives another text. Filters compare them. */
  readonly folded: Readonly<Record<string, string>> | null;
}

export interface ProductDetail {
  readonly id: string;
  readonly products: readonly ProductLine[];
  readonly created_at: string;
  readonly updated_at: string;
}

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

/** Sorts details by time and place in their activity, as `detailsOfCase` reads them. */
export function inOrder(details: readonly ProductDetail[]): ProductDetail[] {
  const key = ({ created_at, id }: ProductDetail) => `${created_at} ${id}`;
  return details.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** SQL: the details of the case `cs` as a JSON list. */
export const detailsOfCase =
  sql`(select json_group_array(json(d.value) order by d.value ->> 'created_at', d.value ->> 'id')
  from activities detailed, json_each(detailed.product_details) d
  where detailed.case_id = cs.id and detailed.product_details <> '[]')`;

export function presentDetails(details: readonly ProductDetail[]) {
  return plain(details.map(presentDetail));
}

export function presentDetail({ id, products, created_at, updated_at }: ProductDetail) {
  return { id, products: products.map(({ folded: _, ...line }) => line), created_at, updated_at };
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
