/** Triggers of products and their categories. */
import { type SchemaObject, totalTriggers } from "../../db/triggers.ts";

export const productTriggers: readonly SchemaObject[] = [
  ...totalTriggers({ table: "products" }),
  ...totalTriggers({ table: "product_categories" }),
];
