/** Triggers of the categories of products. */
import { makeTotalTriggers, type SchemaObject } from "../../db/triggers.ts";

export const categoryTriggers: readonly SchemaObject[] = makeTotalTriggers({ table: "product_categories" });
