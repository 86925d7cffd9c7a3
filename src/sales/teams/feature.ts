import type { Feature } from "../../feature.ts";
import { salesTeamDeletion } from "./deletion.ts";

export const salesTeams: Feature = {
  folder: "sales/teams",
  teamDeletion: [salesTeamDeletion],
};
