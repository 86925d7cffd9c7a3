import type { Feature } from "../../feature.ts";
import { caseAutomatedEndpoints } from "./routes.ts";
import { automatedSendReferences, automatedSends } from "./table.ts";

export const automatedSendsFeature: Feature = {
  folder: "sales/automated_sends",
  tables: [automatedSends],
  references: [automatedSendReferences],
  triggers: ["triggers.ts"],
  endpoints: caseAutomatedEndpoints,
};
