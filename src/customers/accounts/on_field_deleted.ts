import { searchedFieldValues } from "../fields/searched.ts";
import { accountColumns, accountJoins, asAccount } from "./present.ts";
import { indexAccountWords } from "./search_index.ts";

/** Removes a deleted field's values from accounts. */
export const accountFieldValues = searchedFieldValues({
  owner: "account",
  table: "accounts",
  columns: accountColumns,
  joins: accountJoins,
  read: asAccount,
  index: indexAccountWords,
});
