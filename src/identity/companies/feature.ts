import type { Feature } from "../../feature.ts";
import { reindexing } from "../../staged/reindex.ts";
import { beginErasures } from "./begin_erasure.ts";
import { declareCompanyEndpoints } from "./routes.ts";
import { companies, companyReferences } from "./table.ts";

export const companiesFeature: Feature = {
  folder: "identity/companies",
  tables: [companies],
  references: [companyReferences],
  triggers: ["triggers.ts"],
  endpoints: ({ accountOfCompany }) => declareCompanyEndpoints(accountOfCompany),
  jobs: { ends: { beginErasures } },
  staged: ({ reindexed }) => [reindexing(reindexed)],
};
