/**
 * Folders and files of a deleted team go to its successor. Without one, folders go to the user who deletes it, and
 * other files lie nowhere. Permissions of the team end.
 */
import type { TeamReassignment } from "../../identity/teams/deletion.ts";
import { joinSteps } from "../../staged/kind.ts";
import { ownOf, rootStep } from "./roots.ts";

/** Adds the folders and files of a team to its reassignment, after the records of the other features. */
export function withTeamFiles(others: TeamReassignment): TeamReassignment {
  return {
    ...others,
    step(deletion, take) {
      const { company_id, team_id, successor_id } = deletion;
      const before = others.step(deletion, take);
      const own = rootStep({
        from: { company_id, belongs_to: "team", belongs_to_id: team_id },
        to: successor_id === null
          ? ownOf(deletion.deleted_by)
          : { belongs_to: "team", belongs_to_id: successor_id },
      }, take);
      return {
        reads: [...before.reads, ...own.reads],
        apply(author, successor, results) {
          const step = before.apply(author, successor, results.slice(0, before.reads.length));
          if (step.more) return step;
          return joinSteps(step, own.apply(author, results.slice(before.reads.length)));
        },
      };
    },
  };
}
