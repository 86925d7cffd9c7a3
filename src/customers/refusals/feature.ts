import type { Feature } from "../../feature.ts";
import { refusals } from "./table.ts";

export const refusalsFeature: Feature = {
  folder: "customers/refusals",
  tables: [refusals],
  triggers: ["triggers.ts"],
};
