import type { Feature } from "../../feature.ts";
import { timelineEndpoints } from "./routes.ts";
import { timelineEventReferences, timelineEvents } from "./table.ts";

export const timeline: Feature = {
  folder: "sales/timeline",
  tables: [timelineEvents],
  references: [timelineEventReferences],
  endpoints: timelineEndpoints,
};
