import type { FieldValueOwner } from "../../customers/fields/deleted_fields.ts";

/** Removes the values of a deleted field from products, which have no full-text index. */
export const productFieldValues: FieldValueOwner = {
  owner: "product",
  table: "products",
  key: "seq",
  reads: () => [],
  words: () => [],
};
