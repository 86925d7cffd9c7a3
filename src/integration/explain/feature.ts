import type { Feature } from "../../feature.ts";
import { explainEndpoints } from "./routes.ts";

export const explain: Feature = {
  folder: "integration/explain",
  endpoints: explainEndpoints,
};
