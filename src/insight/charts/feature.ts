import type { Feature } from "../../feature.ts";
import { chartEndpoints } from "./routes.ts";
import { chartOperations, serveCharts } from "./serve.ts";
import { reportCharts } from "./table.ts";

export const chartsFeature: Feature = {
  folder: "insight/charts",
  tables: [reportCharts],
  endpoints: chartEndpoints,
  routes: [{ serve: serveCharts, operations: chartOperations }],
};
