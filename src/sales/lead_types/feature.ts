import type { Feature } from "../../feature.ts";
import { leadTypeReassignment } from "./deletion.ts";
import { selectLeadTypeNotice } from "./notice.ts";
import { leadTypeReferences, leadTypes } from "./record.ts";
import { declareLeadTypeEndpoints } from "./routes.ts";
import { reindexedLeadTypes } from "../reindex.ts";

export const leadTypesFeature: Feature = {
  folder: "sales/lead_types",
  tables: [leadTypes],
  references: [leadTypeReferences],
  triggers: ["triggers.ts"],
  endpoints: ({ blockers }) => declareLeadTypeEndpoints(blockers("lead_type")),
  reindexed: [reindexedLeadTypes],
  userDeletion: [leadTypeReassignment],
  notices: { lead_type: selectLeadTypeNotice },
};
