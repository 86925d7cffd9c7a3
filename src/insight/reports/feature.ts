import type { Feature } from "../../feature.ts";
import { reportEndpoints } from "./routes.ts";

export const reports: Feature = {
  folder: "insight/reports",
  endpoints: reportEndpoints,
};
