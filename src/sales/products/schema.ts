/** Wire shapes of products and of their categories. */
import { z } from "zod";
import { counts } from "../../core/budgets.ts";
import { FieldValue, FieldValues } from "../../http/field_values.ts";
import { filledLine, integerId, optional, queryBoolean, uuid } from "../../http/zod.ts";
import { pageOfSchema, paging, sorting } from "../../http/lists.ts";
import { categoryList, productList } from "./queries.ts";

const stamps = {
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
};

export const Category = z.object({
  id: z.int().meta({ example: 4 }),
  name: z.string().meta({ example: "Vans" }),
  ...stamps,
}).meta({ id: "Category" });

export const CategoryPage = pageOfSchema(Category, "CategoryPage");

export const CategoryListQuery = z.object({ ...paging, ...sorting(categoryList.sorts) });

export const CategoryBody = z.object({
  name: filledLine(255).meta({ example: "Vans" }),
}).meta({ id: "CategoryBody", example: { name: "Vans" } });

export const CategoryChange = CategoryBody.partial().meta({
  id: "CategoryChange",
  example: { name: "Cars" },
});

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

export const Product = z.object({
  id: z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a003" }),
  category: Category.nullable().meta({ description: "The first of `categories`." }),
  categories: z.array(Category),
  fixed_fields: z.array(ProductFieldValue),
  custom_fields: z.array(ProductFieldValue),
  related_product_ids: z.array(z.uuid()).meta({ example: [] }),
  ...stamps,
}).meta({ id: "Product", description: "A product of the company. All its users see it." });

export const ProductPage = pageOfSchema(Product, "ProductPage");

export const ProductListQuery = z.object({ ...paging, ...sorting(productList.sorts) });

/** The most related products, so that a deletion holds the write lock for well under 100 ms. */
const mostNamed = 100;

const productMembers = {
  category: optional(z.object({
    id: optional(z.array(integerId).max(counts.categories, `At most ${counts.categories} categories.`))
      .meta({
        example: [4],
      }),
  })).meta({ description: "The ids of its categories, in order." }),
  fixed_fields: optional(FieldValues).meta({
    description: "`name`, `list_price`, `purchase_price`, `type` (`product` or `service`) and `tax`, which " +
      "may also be named `vat`.",
  }),
  custom_fields: optional(FieldValues),
  related_product_ids: optional(z.array(uuid).max(mostNamed, `At most ${mostNamed} products.`)).meta({
    description: "Related products; deleting the product may delete them too.",
  }),
};

export const ProductBody = z.object(productMembers).meta({
  id: "ProductBody",
  required: ["fixed_fields"],
  example: {
    category: { id: [4] },
    fixed_fields: [{ name: "name", value: "Van" }, { name: "list_price", value: 29900 }],
  },
});

export const ProductChange = z.object(productMembers).meta({
  id: "ProductChange",
  description: "An absent member keeps its value.",
  example: { fixed_fields: [{ name: "list_price", value: 28900 }] },
});

export const DeleteProductQuery = z.object({
  with_related_products: queryBoolean.optional().meta({
    description: "Whether to delete its related products too, but not theirs; default: true.",
  }),
});

export type CategoryBody = z.output<typeof CategoryBody>;
export type CategoryChange = z.output<typeof CategoryChange>;
export type ProductBody = z.output<typeof ProductBody>;
