/** Triggers of products. */
import { type SchemaObject, totalTriggers } from "../../db/triggers.ts";

export const productTriggers: readonly SchemaObject[] = [
  ...totalTriggers({ table: "products" }),
];
