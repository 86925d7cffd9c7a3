import type { Feature } from "../../feature.ts";
import { leadDuplicateEndpoints } from "./routes.ts";

export const leadDuplicates: Feature = {
  folder: "sales/duplicates",
  endpoints: leadDuplicateEndpoints,
};
