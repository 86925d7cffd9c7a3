import { searchedCleaning } from "../fields/searched.ts";
import { accountColumns, accountJoins, asAccount } from "./present.ts";
import { indexAccountWords } from "./keys.ts";

/** What accounts lose with a field. */
export const accountCleaning = searchedCleaning({
  owner: "account",
  table: "accounts",
  columns: accountColumns,
  joins: accountJoins,
  read: asAccount,
  index: indexAccountWords,
});
