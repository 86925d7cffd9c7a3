import type { Feature } from "../../feature.ts";
import { batchEndpoints } from "./routes.ts";

export const batch: Feature = {
  folder: "integration/batch",
  endpoints: batchEndpoints,
};
