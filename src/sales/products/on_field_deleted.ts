import type { FieldValueOwner } from "../../customers/fields/deleted_fields.ts";

/** What products lose with a field. They are not found by words. */
export const productFieldValues: FieldValueOwner = {
  owner: "product",
  table: "products",
  key: "seq",
  reads: () => [],
  words: () => [],
};
