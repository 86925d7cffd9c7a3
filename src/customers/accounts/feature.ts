import type { Feature } from "../../feature.ts";
import { accountFieldValues } from "./on_field_deleted.ts";
import { accountOfCompany } from "./queries.ts";
import { accountEndpoints } from "./routes.ts";
import { accountReferences, accounts } from "./record.ts";
import { reindexedAccounts } from "../reindex.ts";

export const accountsFeature: Feature = {
  folder: "customers/accounts",
  tables: [accounts],
  references: [accountReferences],
  triggers: ["triggers.ts", "facts.ts"],
  endpoints: accountEndpoints,
  reindexed: [reindexedAccounts],
  fieldValues: accountFieldValues,
  accountOfCompany,
};
