import type { Feature } from "../../feature.ts";
import { templateReferences, templates } from "./record.ts";
import { declareTemplateEndpoints } from "./routes.ts";
import { reindexedTemplates } from "../reindex.ts";

export const templatesFeature: Feature = {
  folder: "messages/templates",
  tables: [templates],
  references: [templateReferences],
  triggers: ["triggers.ts"],
  endpoints: ({ blockers }) => declareTemplateEndpoints(blockers("template")),
  reindexed: [reindexedTemplates],
};
