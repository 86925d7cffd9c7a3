/** The users of teams. */
import { index, integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core";
import { cascadeAtOnce, declareReferences, leaveTo } from "../../db/references.ts";
import { users } from "../users/record.ts";
import { teams } from "./record.ts";

export const teamMembers = sqliteTable("team_members", {
  user_id: integer().notNull().references(() => users.id),
  team_id: integer().notNull().references(() => teams.id),
}, (table) => [
  primaryKey({ columns: [table.user_id, table.team_id] }),
  index("team_members_by_team").on(table.team_id, table.user_id),
]);

export const teamMemberReferences = declareReferences(teamMembers, {
  user_id: { user: cascadeAtOnce },
  team_id: { team: leaveTo("identity/deletion/leave_team.ts#leaveTeam", "cascade") },
});
