/** Stored filters that name a deleted team or user, whose records go to a successor. */
import { sql } from "../../db/statements.ts";
import type { TeamReassignment } from "../../identity/teams/deletion.ts";
import type { UserReassignment } from "../../identity/users/deletion.ts";
import { type FieldUse, namesRecord } from "./uses.ts";

/** Also stops the filters that name the team, before its records go. */
export function withTeamFilters(others: TeamReassignment, use: FieldUse): TeamReassignment {
  return {
    ...others,
    step(deletion, take) {
      const { company_id, team_id } = deletion;
      const { reads, apply } = others.step(deletion, take);
      return {
        reads,
        apply(author, successor, results) {
          const step = apply(author, successor, results);
          const names = namesRecord("team_id", sql`select ${team_id}`);
          const stopped = use(author, company_id, names, "its filter names a deleted team");
          return { ...step, statements: [...stopped, ...step.statements] };
        },
      };
    },
  };
}

/** Stops the filters that name the user. Without a successor no record changes, so that they keep their meaning. */
export const userFilters = (use: FieldUse): UserReassignment => ({
  step: ({ company_id, user_id, successor_id }) => ({
    reads: [],
    apply: (author) => ({
      statements: successor_id === null ? [] : use(
        author,
        company_id,
        namesRecord("user_id", sql`select ${user_id}`),
        "its filter names a deleted user",
      ),
      events: [],
      more: false,
    }),
  }),
});
