import type { Feature } from "../../feature.ts";
import { deprecatedReportEndpoints } from "./routes.ts";
import { performanceOperations, servePerformance } from "./serve.ts";

export const deprecatedReports: Feature = {
  folder: "insight/deprecated",
  endpoints: deprecatedReportEndpoints,
  routes: [{ serve: servePerformance, operations: performanceOperations }],
};
