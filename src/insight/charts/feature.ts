import { lifetimes } from "../../core/lifetimes.ts";
import type { Feature } from "../../feature.ts";
import { chartEndpoints } from "./routes.ts";
import { chartOperations, serveCharts } from "./serve.ts";
import { reportCharts } from "./table.ts";

export const chartsFeature: Feature = {
  folder: "insight/charts",
  tables: [reportCharts],
  lifetimes: [
    // Its rows are large.
    {
      table: "report_charts",
      columns: ["expires_at"],
      longest: { ms: lifetimes.chart, from: "created_at" },
      step: 20,
    },
  ],
  endpoints: chartEndpoints,
  routes: [{ serve: serveCharts, operations: chartOperations }],
};
