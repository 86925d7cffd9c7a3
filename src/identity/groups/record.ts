/** The group, described once. The full answer, with its teams, is in `schema.ts`: teams show their group, too. */
import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { internal, numberedId, requiredLine, stamps, versioned } from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members, presenter } from "../../records/members.ts";
import { companies } from "../companies/table.ts";

export const groupMembers = {
  id: numberedId(3),
  company_id: internal(integer().notNull().references(() => companies.id)),
  name: requiredLine(255, { example: "North" }),
  ...stamps(),
  ...versioned,
} satisfies Members;

export const groups = sqliteTable("groups", columns(groupMembers), (table) => [
  index("groups_by_created").on(table.company_id, table.created_at, table.id),
]);

/** A group in lists and as part of its teams. */
export const GroupSummary = z.object(forAnswer(groupMembers)).meta({
  id: "GroupSummary",
  example: { id: 3, name: "North", created_at: "2026-01-31 10:00:00", updated_at: "2026-01-31 10:00:00" },
});

export const CreateGroup = z.object(forCreate(groupMembers)).meta({
  id: "CreateGroup",
  example: { name: "North" },
});

export const UpdateGroup = z.object(forChange(groupMembers)).meta({
  id: "UpdateGroup",
  example: { name: "South" },
});

export type GroupRow = typeof groups.$inferSelect;
export type CreateGroup = z.output<typeof CreateGroup>;
export type UpdateGroup = z.output<typeof UpdateGroup>;

export const presentGroupSummary = presenter(groupMembers, GroupSummary);
