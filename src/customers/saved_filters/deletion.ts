/** Saved filters of deleted teams. */
import { sql } from "../../db/statements.ts";
import type { TeamPart } from "../../identity/teams/deletion.ts";

/** Moves saved filters of a deleted team to the successor. Without one, only their makers and admins see them. */
export const teamSavedFilters: TeamPart = {
  atOnce(_author, { company_id, team_id, successor_id }) {
    const set = successor_id === null ? sql`kept_for = created_by` : sql`team_id = ${successor_id}`;
    return [
      sql`update saved_filters set ${set}, version = version + 1
        where company_id = ${company_id} and team_id = ${team_id}`,
    ];
  },
};
