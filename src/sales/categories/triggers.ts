/** Triggers of the categories of products. */
import { type SchemaObject, totalTriggers } from "../../db/triggers.ts";

export const categoryTriggers: readonly SchemaObject[] = totalTriggers({ table: "product_categories" });
