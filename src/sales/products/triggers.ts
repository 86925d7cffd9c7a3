/** Triggers of products: counters, and the index of the words that search finds them by. */
import { makeTotalTriggers, makeWordIndex, type SchemaObject } from "../../db/triggers.ts";

export const productTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({ table: "products" }),
  ...makeWordIndex("products", "seq"),
];
