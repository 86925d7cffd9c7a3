import type { Feature } from "../../feature.ts";
import { attempts } from "./table.ts";

export const attemptsFeature: Feature = {
  folder: "identity/attempts",
  tables: [attempts],
};
