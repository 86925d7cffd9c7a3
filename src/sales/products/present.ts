/** Products and categories → wire shapes. */
import type { z } from "zod";
import { lateNumber } from "../../core/answer.ts";
import { Json, list, object, plain } from "../../core/json.ts";
import type { Fields } from "../../db/fields.ts";
import { columnsOf, jsonMembers, sql } from "../../db/statements.ts";
import type { Wire } from "../../http/endpoint.ts";
import type { Row } from "../../platform/database/database.ts";
import { type CategoryRow, type ProductRow, products } from "./table.ts";

import type { ProductFieldValue } from "./schema.ts";

/** A category as its record shows it. `id` is null until the batch assigns it. */
export type CategoryFacts = Omit<CategoryRow, "id" | "company_id"> & { readonly id: number | null };

/** A product with its categories and related products. */
export type ProductFacts = ProductRow & {
  /** In the order of the product. */
  categories: readonly (CategoryFacts & { readonly id: number })[];
  related: readonly string[];
};

const categoryMembers = jsonMembers(["id", "name", "created_at", "updated_at", "version"], "c");

/** Select list over the alias `product`, for `asProduct`. */
export const productColumns = sql`${columnsOf(products, "product")},
  (select json_group_array(json_object(${categoryMembers}) order by l.place) from products_in_categories l
    join product_categories c on c.id = l.category_id where l.product_id = product.id) as categories,
  (select json_group_array(r.related_id order by r.place) from related_products r
    where r.product_id = product.id) as related`;

export function asProduct({ categories, related, ...row }: Row): ProductFacts {
  return {
    ...row as ProductRow,
    categories: JSON.parse(categories as string),
    related: JSON.parse(related as string),
  };
}

/** The fields of products, which show for each option whether it is chosen. */
type CheckedFields = Json<readonly Wire<z.output<typeof ProductFieldValue>>[]>;

/** The Product record with the given fields. */
export function presentProduct(product: ProductFacts, { product: fields }: Fields) {
  const { name, list_price, purchase_price, type, tax } = product;
  const categories = product.categories.map(presentCategory);
  return object({
    id: product.id,
    category: categories[0] ?? null,
    categories: list(categories),
    fixed_fields: fields.presentFixed({ name, list_price, purchase_price, type, tax }) as CheckedFields,
    custom_fields: fields.presentCustom(product.custom) as CheckedFields,
    related_product_ids: plain(product.related),
    created_at: product.created_at,
    updated_at: product.updated_at,
  });
}

export function presentCategory({ id, name, created_at, updated_at }: CategoryFacts) {
  return object({ id: lateNumber(id), name, created_at, updated_at });
}
