import type { Cleaning } from "../../customers/fields/clean.ts";

/** What products lose with a field. They are not found by words. */
export const productCleaning: Cleaning = {
  owner: "product",
  table: "products",
  key: "seq",
  reads: () => [],
  words: () => [],
};
