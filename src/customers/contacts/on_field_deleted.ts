import { searchedFieldValues } from "../fields/searched.ts";
import { asContact, contactColumns, contactJoins } from "./present.ts";
import { indexContactWords } from "./search_index.ts";

/** Removes a deleted field's values from contacts. */
export const contactFieldValues = searchedFieldValues({
  owner: "contact",
  table: "contacts",
  columns: contactColumns,
  joins: contactJoins,
  read: asContact,
  index: indexContactWords,
});
