import type { Feature } from "../../feature.ts";
import { metricsOperations, serveMetrics } from "./serve.ts";

export const metrics: Feature = {
  folder: "integration/metrics",
  routes: [{ serve: serveMetrics, operations: metricsOperations }],
};
