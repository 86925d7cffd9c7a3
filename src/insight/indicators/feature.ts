import type { Feature } from "../../feature.ts";
import { indicatorEndpoints } from "./routes.ts";

export const indicatorsFeature: Feature = {
  folder: "insight/indicators",
  endpoints: indicatorEndpoints,
};
