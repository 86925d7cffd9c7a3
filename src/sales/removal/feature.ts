/** What goes when a case, a customer or a team is deleted. */
import type { Feature } from "../../feature.ts";
import { customerDependents } from "./customers.ts";
import { caseRemovalWork } from "./delete_case.ts";
import { salesTeamDeletion } from "./teams.ts";

export const salesRemoval: Feature = {
  folder: "sales/removal",
  staged: [caseRemovalWork],
  teamDeletion: [salesTeamDeletion],
  customerDeletion: customerDependents,
};
