import type { Feature } from "../../feature.ts";
import { awardRanks } from "./award.ts";
import { rememberMembers } from "./deletion.ts";
import { rankEndpoints } from "./routes.ts";
import { rankReferences, ranks } from "./record.ts";

export const ranksFeature: Feature = {
  folder: "insight/ranks",
  tables: [ranks],
  references: [rankReferences],
  triggers: ["triggers.ts"],
  endpoints: rankEndpoints,
  teamDeletion: [rememberMembers],
  jobs: { count: { awardRanks } },
};
