import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { serialId, timestamps, version } from "../../db/columns.ts";
import { companies } from "./companies.ts";
import { users } from "./users.ts";
import { referencesOf } from "../../db/references.ts";

export const roles = sqliteTable("roles", {
  id: serialId(),
  company_id: integer().notNull().references(() => companies.id),
  name: text().notNull(),
  ...timestamps,
  ...version,
}, (table) => [
  uniqueIndex("roles_name").on(table.company_id, table.name),
  index("roles_by_created").on(table.company_id, table.created_at, table.id),
]);

export const roleRights = sqliteTable("role_rights", {
  role_id: integer().notNull().references(() => roles.id),
  right_name: text().notNull(),
}, (table) => [primaryKey({ columns: [table.role_id, table.right_name] })]);

export const userRoles = sqliteTable("user_roles", {
  user_id: integer().notNull().references(() => users.id),
  role_id: integer().notNull().references(() => roles.id),
}, (table) => [
  primaryKey({ columns: [table.user_id, table.role_id] }),
  index("user_roles_by_role").on(table.role_id, table.user_id),
]);

export type RoleRow = typeof roles.$inferSelect;

/** What its columns name, and what happens when that is removed. */
export const roleRightReferences = referencesOf(roleRights, { role_id: { role: "cascade" } });
export const userRoleReferences = referencesOf(userRoles, {
  user_id: { user: "cascade" },
  role_id: { role: "cascade" },
});
