import type { Feature } from "../../feature.ts";
import { viewEndpoints } from "./routes.ts";

export const viewsFeature: Feature = {
  folder: "console/views",
  endpoints: ({ filterFields }) => viewEndpoints(filterFields),
};
