import { stepRows } from "../../db/expiry.ts";
import type { Feature } from "../../feature.ts";
import { attempts } from "./table.ts";

export const attemptsFeature: Feature = {
  folder: "identity/attempts",
  tables: [attempts],
  lifetimes: [
    { table: "attempts", columns: ["until"], step: stepRows },
  ],
};
