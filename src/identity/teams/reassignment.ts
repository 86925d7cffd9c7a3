/** The records of a deleted team go to its successor: as staged work, where they are too many for one commit. */
import { Stale } from "../../core/errors.ts";
import { guardVersions } from "../../db/statements.ts";
import type { StagedKind } from "../../staged/kind.ts";
import { kind, type TeamDeletion, type TeamReassignment } from "./deletion.ts";
import { readTeams, teamsByIds } from "./queries.ts";

export function teamReassignmentWork(reassignment: TeamReassignment): StagedKind {
  return {
    kind,
    step({ company_id, subject, payload }, take) {
      const { successor_id }: Pick<TeamDeletion, "successor_id"> = JSON.parse(payload);
      const deletion: TeamDeletion = { company_id, team_id: Number(subject), successor_id };
      const { reads, apply } = reassignment.step(deletion, take);
      return {
        reads: [teamsByIds(company_id, successor_id === null ? [] : [successor_id]), ...reads],
        apply(author, [found, ...results]) {
          const successor = readTeams(found!)[0] ?? null;
          // The deletion of the successor redirects the work.
          if (successor_id !== null && !successor) throw new Stale("the successor");
          const step = apply(author, successor, results);
          return {
            ...step,
            statements: [guardVersions("teams", successor ? [successor] : []), ...step.statements],
          };
        },
      };
    },
  };
}
