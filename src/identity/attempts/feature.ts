import type { Feature } from "../../feature.ts";
import { attempts } from "../tables/attempts.ts";

export const attemptsFeature: Feature = {
  folder: "identity/attempts",
  tables: [attempts],
};
