/** Moves records of a deleted team to its successor, as staged work if there are too many for a commit. */
import { Stale } from "../../core/errors.ts";
import { guardVersions } from "../../db/statements.ts";
import type { StagedKind } from "../../staged/kind.ts";
import { kind, type TeamDeletion, type TeamReassignment } from "./deletion.ts";
import { readTeams, selectTeamsByIds } from "./queries.ts";

export function describeTeamReassignment(reassignment: TeamReassignment): StagedKind {
  return {
    kind,
    step({ company_id, subject, payload }, take) {
      const { successor_id, deleted_by = null, isBegun = false }:
        & Pick<TeamDeletion, "successor_id">
        & Partial<TeamDeletion> = JSON.parse(payload);
      const deletion = { company_id, team_id: Number(subject), successor_id, deleted_by, isBegun };
      const { reads, apply } = reassignment.step(deletion, take);
      return {
        reads: [selectTeamsByIds(company_id, successor_id === null ? [] : [successor_id]), ...reads],
        apply(author, [found, ...results]) {
          const successor = readTeams(found!)[0] ?? null;
          // When the successor is deleted too, its deletion redirects this work to another team.
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
