import type { Feature } from "../../feature.ts";
import { agencyEndpoints } from "./routes.ts";

export const agency: Feature = {
  folder: "sales/agency",
  endpoints: agencyEndpoints,
};
