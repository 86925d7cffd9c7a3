import type { Feature } from "../../feature.ts";
import { escalateDue } from "./escalate.ts";
import { hideExpired } from "./expire.ts";
import { describeLeadFields } from "./filter_fields.ts";
import { leadEndpoints } from "./routes.ts";
import { indexLeads } from "./search_index.ts";
import { leadReferences, leads, leadTransitionReferences, leadTransitions } from "./record.ts";
import { reindexedLeads } from "../reindex.ts";

export const leadsFeature: Feature = {
  folder: "sales/leads",
  tables: [leads, leadTransitions],
  references: [leadReferences, leadTransitionReferences],
  triggers: ["triggers.ts", "facts.ts"],
  endpoints: leadEndpoints,
  reindexed: [reindexedLeads],
  jobs: { timers: { escalateDue }, index: { indexLeads: (deps) => indexLeads(deps) }, ends: { hideExpired } },
  filterFields: describeLeadFields,
};
