import type { Feature } from "../../feature.ts";
import { countsEndpoints } from "./routes.ts";

export const counts: Feature = {
  folder: "console/counts",
  endpoints: countsEndpoints,
};
