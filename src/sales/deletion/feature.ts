/** What goes when a case, a customer or a team is deleted. */
import type { Feature } from "../../feature.ts";
import { customerDependents } from "./customers.ts";
import { caseDeletionWork } from "./delete_case.ts";
import { salesTeamDeletion } from "./teams.ts";

export const salesDeletion: Feature = {
  folder: "sales/deletion",
  staged: [caseDeletionWork],
  teamDeletion: [salesTeamDeletion],
  customerDeletion: customerDependents,
};
