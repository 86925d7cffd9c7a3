/** Trigram indexes over the texts of accounts and contacts. */
import { fixedFields } from "../../fields/fixed_fields.ts";
import type { TextIndex } from "../../filters/text_index.ts";

export const textIndexes = {
  account: makeTextIndex("account", "accounts"),
  contact: makeTextIndex("contact", "contacts"),
};

function makeTextIndex<Table extends string>(
  owner: "account" | "contact",
  table: Table,
): TextIndex & { readonly table: Table } {
  const columns = fixedFields[owner].filter(({ options }) => options === null).map(({ name }) => name);
  return { table, texts: `${table}_trigrams`, stale: `${table}_trigrams_stale`, columns };
}
