/** The products of an offer, as the activity offers them: later changes of a product do not apply. */
import { amounts } from "../../core/budgets.ts";
import {
  add,
  countDecimals,
  multiply,
  roundDecimal,
  subtract,
  toDecimal,
  toNumber,
  writeDecimal,
} from "../../core/decimals.ts";
import { type FieldError, fieldError, missingReference } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { foldTexts } from "../../core/text.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions } from "../../db/statements.ts";
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
  /** The currency of the company. */
  readonly currency: string;
}

/** Reads the products of the body, for `makeProductDetails`. */
export function selectProducts(ctx: Context, given: Given): Statement {
  return productsOffered(
    ctx.caller.companyId,
    (given ?? []).flatMap(({ products }) => products.map(({ id }) => id)),
  );
}

/** Adds an error for each product that does not exist, and for each line whose cost or discount is too large. */
export function checkProducts(given: Given, offered: Result, errors: FieldError[]): void {
  const known = new Map(offered.rows.map((row) => [row.id, row as Offered & Row]));
  given?.forEach(({ products }, detail) => {
    products.forEach((line, index) => {
      const path = `product_details[${detail}].products[${index}]`;
      const product = known.get(line.id);
      if (product) checkAmounts(makeLine(line, product), product.currency, path, errors);
      else errors.push(missingReference(`${path}.id`, "product"));
    });
  });
}

/**
 * Returns the details that the activity stores. The default quantity is 1, the default price the list price.
 * The guards reject the batch when a product has changed since it was read.
 */
export function makeProductDetails(
  ctx: Context,
  given: Given,
  created_at: string,
  offered: Result,
): { details: readonly ProductDetail[]; guards: Statement[] } {
  const byId = new Map(offered.rows.map((row) => [row.id as string, row as Offered & Row]));
  const details = (given ?? []).map(({ products }) => ({
    id: makeId(ctx.now),
    products: products.map((line) => makeLine(line, byId.get(line.id)!)),
    created_at,
    updated_at: ctx.at,
  }));
  return { details, guards: byId.size > 0 ? [guardVersions("products", [...byId.values()])] : [] };
}

/**
 * Checks the amounts of a line. Figures add up the costs of lines and keep the sums for ever, so one cost
 * that is not finite would spoil them all. The list price may be any number. A discount is an amount for the
 * whole line; it is compared with the cost as decimals of the currency.
 */
function checkAmounts(
  { quantity, price, discount }: ProductLine,
  currency: string,
  path: string,
  errors: FieldError[],
): void {
  const places = countDecimals(currency);
  const exact = multiply(toDecimal(quantity), toDecimal(price ?? 0));
  const cost = roundDecimal(exact, places);
  const most = cost.digits < 0n ? roundDecimal(toDecimal(0), places) : cost;
  if (Math.abs(toNumber(exact)) > amounts.line) {
    errors.push(fieldError(`${path}.price`, "max", `Quantity times price must be at most ${amounts.line}.`));
  } else if (discount !== null && discount < 0) {
    errors.push(fieldError(`${path}.discount`, "min", "Must not be negative."));
  } else if (discount !== null && roundDecimal(toDecimal(discount), places).digits > most.digits) {
    const text = `At most ${writeDecimal(most)}: quantity times price.`;
    errors.push(fieldError(`${path}.discount`, "max", text));
  }
}

function makeLine(
  line: NonNullable<Given>[number]["products"][number],
  { id, name, type, list_price }: Offered,
): ProductLine {
  const comment = line.comment ?? null;
  return {
    id,
    name,
    quantity: line.quantity ?? 1,
    type,
    price: line.price ?? list_price,
    discount: line.discount ?? null,
    comment,
    folded: foldLine({ name, comment }),
  };
}

/** Returns what the lines come to, with more decimals than a currency has, as triggers compute it. */
export function computeWorth(details: readonly ProductDetail[]): number {
  const lines = details.flatMap(({ products }) => products);
  const sum = lines.reduce((sum, { quantity, price, discount }) => {
    const cost = multiply(toDecimal(quantity), toDecimal(price ?? 0));
    return add(sum, roundDecimal(subtract(cost, toDecimal(discount ?? 0)), worthPlaces));
  }, toDecimal(0));
  return toNumber(roundDecimal(sum, worthPlaces));
}

const worthPlaces = 8;

/** Returns the texts of a line as filters compare them, where SQLite's `lower` gives others; null for none. */
export function foldLine({ name, comment }: Pick<ProductLine, "name" | "comment">): ProductLine["folded"] {
  const folded = foldTexts({ name, comment });
  return folded === null ? null : JSON.parse(folded);
}
