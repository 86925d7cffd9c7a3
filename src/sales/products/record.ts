/** The product, described once. */
import { droppedValues } from "../../customers/fields/custom_references.ts";
import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { counts } from "../../core/budgets.ts";
import type { Fields } from "../../fields/field_sets.ts";
import { cascadeAtOnce, declareReferences, leaveTo } from "../../db/references.ts";
import type { Wire } from "../../http/endpoint.ts";
import { FieldValue, FieldValues } from "../../fields/values.ts";
import { integerId, optional, uuid } from "../../http/zod.ts";
import { companies } from "../../identity/companies/table.ts";
import { computed, internal, readOnly, stamps, versioned, writeOnly } from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members, presenter } from "../../records/members.ts";
import { Category, type CategoryRow, presentCategory, productCategories } from "../categories/record.ts";

/** The most related products, so that a deletion holds the write lock for well under 100 ms. */
const mostNamed = 100;

const tooMany = `At most ${counts.categories} categories.`;
const categoryIds = z.array(integerId).max(counts.categories, tooMany).meta({ example: [4] });
const CategoryChoice = z.object({ id: optional(categoryIds) });
/** In an answer, the first category. */
const GivenCategory = z.object({ id: optional(z.union([categoryIds, integerId])) });
const choice = { description: "The ids of its categories, in order." };

export const ProductFieldValue = z.object({
  ...FieldValue.shape,
  options: z.array(z.object({ id: z.string(), value: z.string(), checked: z.boolean() })),
}).meta({
  id: "ProductFieldValue",
  example: {
    id: 24,
    type: "single_choice",
    name: "type",
    label: "Type",
    value: { id: "product", value: "Product" },
    validation: null,
    required: false,
    hidden: false,
    read_only: false,
    sort_order: 4,
    options: [
      { id: "product", value: "Product", checked: true },
      { id: "service", value: "Service", checked: false },
    ],
  },
});

export const productMembers = {
  /** The row id in the values of custom fields. */
  seq: internal(integer().primaryKey()),
  id: readOnly(
    text().notNull().unique(),
    z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a003" }),
  ),
  company_id: internal(integer().notNull().references(() => companies.id)),
  // Shown and given in different shapes: ordinary code presents and reads them.
  category: {
    ...computed(Category.nullable().meta({ description: "The first of `categories`." })),
    ...writeOnly(optional(CategoryChoice).meta(choice)),
  },
  categories: computed(z.array(Category)),
  // The fixed fields.
  name: internal(text().notNull()),
  list_price: internal(real()),
  purchase_price: internal(real()),
  type: internal(text()),
  tax: internal(real()),
  fixed_fields: {
    ...computed(z.array(ProductFieldValue)),
    ...writeOnly(
      optional(FieldValues).meta({
        description: "`name`, `list_price`, `purchase_price`, `type` (`product` or `service`) and `tax`, " +
          "which may also be named `vat`.",
      }),
    ),
  },
  /** Custom values as a JSON object by field id. */
  custom: internal(text().notNull().default("{}")),
  custom_fields: { ...computed(z.array(ProductFieldValue)), ...writeOnly(optional(FieldValues)) },
  related_product_ids: {
    ...computed(z.array(z.uuid()).meta({ example: [] })),
    ...writeOnly(
      optional(z.array(uuid).max(mostNamed, `At most ${mostNamed} products.`)).meta({
        description: "Related products; deleting the product may delete them too.",
      }),
    ),
  },
  created_by: internal(integer()),
  ...stamps(),
  ...versioned,
} satisfies Members;

export const products = sqliteTable("products", columns(productMembers), (table) => [
  // Serves the list, newest first.
  index("products_by_created").on(table.company_id, table.created_at, table.id),
]);

export const productsInCategories = sqliteTable("products_in_categories", {
  product_id: text().notNull().references(() => products.id),
  category_id: integer().notNull().references(() => productCategories.id),
  /** The place of the category in the product. */
  place: integer().notNull(),
}, (table) => [
  primaryKey({ columns: [table.product_id, table.category_id] }),
  index("products_in_categories_by_category").on(table.category_id, table.product_id),
]);

/** The related products of a product. The relation is one-way. */
export const relatedProducts = sqliteTable("related_products", {
  product_id: text().notNull().references(() => products.id),
  related_id: text().notNull().references(() => products.id),
  place: integer().notNull(),
}, (table) => [
  primaryKey({ columns: [table.product_id, table.related_id] }),
  index("related_products_by_related").on(table.related_id, table.product_id),
]);

/** What its columns name, and what happens when that is deleted. */
export const productReferences = declareReferences(products, {
  custom: droppedValues,
  created_by: { user: "keep" },
});
export const productCategoryReferences = declareReferences(productsInCategories, {
  product_id: { product: cascadeAtOnce },
  category_id: { category: leaveTo("sales/products/delete_category.ts#deleteCategory", "cascade") },
});
export const relatedProductReferences = declareReferences(relatedProducts, {
  product_id: { product: cascadeAtOnce },
  related_id: { product: leaveTo("sales/products/delete.ts#deleteProduct", "cascade") },
});

export const Product = z.object(forAnswer(productMembers))
  .meta({ id: "Product", description: "A product of the company. All its users see it." });

export const ProductBody = z.object(forCreate(productMembers)).meta({
  id: "ProductBody",
  required: ["fixed_fields"],
  example: {
    category: { id: [4] },
    fixed_fields: [{ name: "name", value: "Van" }, { name: "list_price", value: 29900 }],
  },
});

export const ProductChange = z.object({
  ...forChange(productMembers),
  category: optional(GivenCategory).meta(choice),
  categories: optional(z.array(z.object({ id: integerId })).max(counts.categories, tooMany)).meta({
    description: "As the answer shows it, in place of `category`.",
  }),
}).transform(({ category, categories, ...body }) => ({
  ...body,
  category: chooseCategories(category, categories),
})).meta({
  id: "ProductChange",
  description: "An absent member keeps its value.",
  example: { fixed_fields: [{ name: "list_price", value: 28900 }] },
});

type Given = z.output<typeof GivenCategory> | null | undefined;

/** The ids that the body means. Beside the first category of an answer stand all: they count, if they are there. */
function chooseCategories(given: Given, all: readonly { id: number }[] | null | undefined) {
  const id = given === null ? null : given?.id;
  if (id === null || Array.isArray(id)) return { id };
  return { id: all?.map((category) => category.id) ?? (id === undefined ? undefined : [id]) };
}

export type ProductRow = typeof products.$inferSelect;
export type ProductBody = z.output<typeof ProductBody>;

/** A product with its categories and related products. */
export type ProductFacts = ProductRow & {
  /** In the order of the product. */
  readonly categories: readonly CategoryRow[];
  readonly related: readonly string[];
};

const presentMembers = presenter(productMembers, Product);

/** The fields of products, which show for each option whether it is chosen. */
type CheckedFields = readonly Wire<z.output<typeof ProductFieldValue>>[];

/** Presents the product with the given fields. */
export function presentProduct(product: ProductFacts, { product: fields }: Fields) {
  const { name, list_price, purchase_price, type, tax } = product;
  const categories = product.categories.map(presentCategory);
  return presentMembers({
    ...product,
    category: categories[0] ?? null,
    categories,
    fixed_fields: fields.presentFixed({ name, list_price, purchase_price, type, tax }) as CheckedFields,
    custom_fields: fields.presentCustom(product.custom) as CheckedFields,
    related_product_ids: product.related,
  });
}
