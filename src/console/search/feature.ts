import type { Feature } from "../../feature.ts";
import { searchEndpoints } from "./routes.ts";

export const searchFeature: Feature = {
  folder: "console/search",
  endpoints: searchEndpoints,
};
