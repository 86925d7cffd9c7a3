/** Making and changing products. */
import { type Answer, created, ok } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { productFields } from "../../core/fixed_fields.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { asSeen } from "../../db/fields.ts";
import { checkMatch } from "../../http/conditional.ts";
import {
  type FieldValueList,
  type GivenValues,
  mergeCustom,
  needed,
  readCustomFields,
  readFixedFields,
  valueAt,
} from "../../http/field_values.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { presentProduct, type ProductFacts } from "./present.ts";
import { categoriesByIds, productById, productIds, productOf } from "./queries.ts";
import type { ProductBody } from "./schema.ts";
import type { CategoryRow } from "./table.ts";
import { changedProduct, newProduct, type ProductValues } from "./write.ts";

export async function getProduct(ctx: Context, id: string): Promise<Answer> {
  const [found] = await ctx.deps.db.read([productById(ctx.caller.companyId, id)]);
  return ok(presentProduct(productOf(found!), ctx.fields.seen));
}

/** 201 with the product. */
export async function createProduct(ctx: Context, body: ProductBody): Promise<Answer> {
  const errors: FieldError[] = [];
  const { fixed, given } = readValues(ctx, body, errors);
  const custom = mergeCustom({}, given, ctx.fields.seen.product, valueAt(body), errors);
  if (!fixed.name) nameMissing(errors);
  const named = namedOf(body, null, await ctx.deps.db.read(namedBy(ctx, body)), errors);
  if (errors.length > 0) throw invalid(...errors);
  const { product, statements, event } = newProduct(ctx, ctx.caller.companyId, { fixed, custom, ...named });
  return await commit(ctx, {
    statements,
    events: [event],
    answer: created(asSeen(ctx.fields, event.body, (fields) => presentProduct(product, fields))),
  });
}

/** 200 with the product as it is now. What the body does not name keeps its value. */
export async function updateProduct(ctx: Context, id: string, body: ProductBody): Promise<Answer> {
  const errors: FieldError[] = [];
  const { fixed, given } = readValues(ctx, body, errors);
  const [found, ...results] = await ctx.deps.db.read([
    productById(ctx.caller.companyId, id),
    ...namedBy(ctx, body),
  ]);
  const before = productOf(found!);
  checkMatch(ctx, () => presentProduct(before, ctx.fields.seen));
  const custom = mergeCustom(
    JSON.parse(before.custom),
    given,
    ctx.fields.seen.product,
    valueAt(body),
    errors,
  );
  if (fixed.name === null) nameMissing(errors);
  const named = namedOf(body, id, results, errors);
  if (errors.length > 0) throw invalid(...errors);
  const { product, statements, event } = changedProduct(ctx, before, { fixed, custom, ...named });
  return await commit(ctx, {
    statements,
    events: [event],
    answer: ok(asSeen(ctx.fields, event.body, (fields) => presentProduct(product, fields))),
  });
}

function readValues(
  ctx: Context,
  body: ProductBody,
  errors: FieldError[],
): { fixed: ProductValues["fixed"]; given: GivenValues } {
  const fixed = body.fixed_fields?.map(taxByItsOtherName);
  return {
    fixed: readFixedFields(fixed, productFields, "fixed_fields", errors) as ProductValues["fixed"],
    given: readCustomFields(body.custom_fields, ctx.fields.seen.product, "custom_fields", errors),
  };
}

/** Requests may call the tax `vat`. */
function taxByItsOtherName(item: FieldValueList[number]): FieldValueList[number] {
  return item.name === "vat" ? { ...item, name: "tax" } : item;
}

function nameMissing(errors: FieldError[]): void {
  needed("fixed_fields", "A product needs a name.", { name: "Estate" }, errors);
}

/** Reads what `readReferences` finds. */
function namedBy({ caller: { companyId } }: Context, body: ProductBody): Statement[] {
  return [
    categoriesByIds(companyId, body.category?.id ?? []),
    productIds(companyId, body.related_product_ids ?? []),
  ];
}

/** The categories and related products of the body, each once; absent where it names none. */
function namedOf(
  body: ProductBody,
  ownId: string | null,
  [categories, related]: readonly Result[],
  errors: FieldError[],
): Pick<ProductValues, "categories" | "related"> {
  const byId = new Map(categories!.rows.map((row) => [Number(row.id), row as CategoryRow]));
  const there = new Set(related!.rows.map((row) => String(row.id)));
  const categoryIds = body.category === null ? null : body.category?.id;
  categoryIds?.forEach((id, index) => {
    if (!byId.has(id)) errors.push(missingReference(`category.id[${index}]`, "category"));
  });
  body.related_product_ids?.forEach((id, index) => {
    const path = `related_product_ids[${index}]`;
    if (!there.has(id)) errors.push(missingReference(path, "product"));
    else if (id === ownId) errors.push(fieldError(path, "exists", "A product is not related to itself."));
  });
  return {
    ...(categoryIds !== undefined && { categories: chosen(byId, categoryIds) }),
    ...(body.related_product_ids !== undefined && { related: [...new Set(body.related_product_ids)] }),
  };
}

function chosen(byId: Map<number, CategoryRow>, ids: readonly number[] | null): ProductFacts["categories"] {
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}
