/** Triggers of products: counters, and the index of the words that search finds them by. */
import { type SchemaObject, totalTriggers, wordIndex } from "../../db/triggers.ts";

export const productTriggers: readonly SchemaObject[] = [
  ...totalTriggers({ table: "products" }),
  ...wordIndex("products", "seq"),
];
