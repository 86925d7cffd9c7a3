import type { Feature } from "../../feature.ts";
import { declareViewEndpoints } from "./routes.ts";

export const viewsFeature: Feature = {
  folder: "console/views",
  endpoints: ({ filterFields }) => declareViewEndpoints(filterFields),
};
