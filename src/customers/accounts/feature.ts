import type { Feature } from "../../feature.ts";
import { describeSearchedValues } from "../fields/remove_values.ts";
import { accountColumns, accountJoins, readAccountRow } from "./present.ts";
import { indexAccountWords } from "./search_index.ts";
import { selectAccountOfCompany } from "./queries.ts";
import { declareAccountEndpoints } from "./routes.ts";
import { accountReferences, accounts } from "./record.ts";
import { reindexedAccounts } from "../reindex.ts";

export const accountsFeature: Feature = {
  folder: "customers/accounts",
  tables: [accounts],
  references: [accountReferences],
  triggers: ["triggers.ts", "facts.ts"],
  endpoints: declareAccountEndpoints,
  reindexed: [reindexedAccounts],
  fieldValues: describeSearchedValues({
    owner: "account",
    table: "accounts",
    columns: accountColumns,
    joins: accountJoins,
    read: readAccountRow,
    index: indexAccountWords,
  }),
  accountOfCompany: selectAccountOfCompany,
};
