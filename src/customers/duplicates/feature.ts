import type { Feature } from "../../feature.ts";
import { duplicateEndpoints } from "./routes.ts";

export const duplicates: Feature = {
  folder: "customers/duplicates",
  endpoints: duplicateEndpoints,
};
