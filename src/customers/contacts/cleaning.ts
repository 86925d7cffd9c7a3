import { searchedCleaning } from "../fields/searched.ts";
import { asContact, contactColumns, contactJoins } from "./present.ts";
import { indexContactWords } from "./keys.ts";

/** What contacts lose with a field. */
export const contactCleaning = searchedCleaning({
  owner: "contact",
  table: "contacts",
  columns: contactColumns,
  joins: contactJoins,
  read: asContact,
  index: indexContactWords,
});
