/** The values, categories and related products that the body of a product names. */
import { type FieldError, fieldError, missingReference } from "../../core/errors.ts";
import type { UserAuthor } from "../../db/commit.ts";
import {
  type FieldValueList,
  type GivenValues,
  readFields,
  requireValues,
  type StoredFields,
} from "../../fields/values.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { selectCategoriesByIds } from "../categories/queries.ts";
import type { CategoryRow } from "../categories/record.ts";
import { productIds } from "./queries.ts";
import type { ProductBody, ProductFacts } from "./record.ts";
import type { ProductValues } from "./write.ts";

/** The values of fixed and custom fields. Faults go to `errors`. */
export function readValues(
  ctx: UserAuthor,
  body: ProductBody,
  errors: FieldError[],
  stored?: StoredFields,
): { fixed: ProductValues["fixed"]; given: GivenValues } {
  const named = { ...body, fixed_fields: body.fixed_fields?.map(withTax) };
  const { fixed, custom } = readFields<string | number>(named, ctx.fields.seen.product, "", errors, stored);
  return { fixed: fixed as ProductValues["fixed"], given: custom };
}

/** A request may also name the field `tax` as `vat`. */
function withTax(item: FieldValueList[number]): FieldValueList[number] {
  return item.name === "vat" ? { ...item, name: "tax" } : item;
}

export function addNameError(errors: FieldError[]): void {
  requireValues("fixed_fields", "A product needs a name.", { name: "Estate" }, errors);
}

/** The reads of `readProductReferences`. */
export function selectProductReferences(
  { caller: { companyId } }: UserAuthor,
  body: ProductBody,
): Statement[] {
  return [
    selectCategoriesByIds(companyId, body.category?.id ?? []),
    productIds(companyId, body.related_product_ids ?? []),
  ];
}

/** Returns the categories and related products of the body, each once; absent if the body has none. */
export function readProductReferences(
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
    ...(categoryIds !== undefined && { categories: pickCategories(byId, categoryIds) }),
    ...(body.related_product_ids !== undefined && { related: [...new Set(body.related_product_ids)] }),
  };
}

function pickCategories(
  byId: Map<number, CategoryRow>,
  ids: readonly number[] | null,
): ProductFacts["categories"] {
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}
