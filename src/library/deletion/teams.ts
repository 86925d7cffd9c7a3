/**
 * Folders and files of a deleted team go to its successor. Without one, folders go to the user who deletes it, and
 * other files lie nowhere. Permissions of the team end.
 */
import type { TeamPart } from "../../identity/teams/deletion.ts";
import { makeOwnDestination, rootStep } from "./roots.ts";

export const teamFiles: TeamPart = {
  step({ company_id, team_id, successor_id, deleted_by }, take) {
    const { reads, apply } = rootStep({
      from: { company_id, belongs_to: "team", belongs_to_id: team_id },
      to: successor_id === null
        ? makeOwnDestination(deleted_by)
        : { belongs_to: "team", belongs_to_id: successor_id },
    }, take);
    return { reads, apply: (author, _successor, results) => apply(author, results) };
  },
};
