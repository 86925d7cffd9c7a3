/** The role, described once. */
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { type Right, rights } from "../../core/rights.ts";
import { cascadeAtOnce, declareReferences } from "../../db/references.ts";
import { optional, text as givenText } from "../../http/zod.ts";
import {
  computed,
  internal,
  numberedId,
  requiredLine,
  stamps,
  versioned,
  writeOnly,
} from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members, presenter } from "../../records/members.ts";
import { companies } from "../companies/table.ts";
import { users } from "../users/record.ts";

export const rightName = z.enum(Object.keys(rights) as Right[]);

/** Names of rights. The verbs check them, since a right depends on others in the list. */
const names = z.array(givenText(255)).max(500, "At most 500 rights.");

export const roleMembers = {
  id: numberedId(4),
  company_id: internal(integer().notNull().references(() => companies.id)),
  name: {
    ...requiredLine(255, { description: "Unique in the company.", example: "Agency" }),
    shown: z.string().meta({ example: "Agency" }),
  },
  rights: {
    ...computed(z.array(rightName).meta({ example: ["agency"] })),
    ...writeOnly(
      optional(names).meta({
        description: "Assignable rights, including those that they depend on.",
        example: ["agency"],
      }),
    ),
  },
  ...stamps(),
  ...versioned,
} satisfies Members;

export const roles = sqliteTable("roles", columns(roleMembers), (table) => [
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

/** What its columns name, and what happens when that is deleted. */
export const roleRightReferences = declareReferences(roleRights, { role_id: { role: cascadeAtOnce } });
export const userRoleReferences = declareReferences(userRoles, {
  user_id: { user: cascadeAtOnce },
  role_id: { role: cascadeAtOnce },
});

const { rights: _, ...summary } = forAnswer(roleMembers);
export const RoleSummary = z.object(summary).meta({ id: "RoleSummary" });

export const Role = z.object(forAnswer(roleMembers)).meta({ id: "Role", extends: RoleSummary });

export const CreateRole = z.object(forCreate(roleMembers))
  .meta({ id: "CreateRole", example: { name: "Agency", rights: ["agency"] } });

export const UpdateRole = z.object(forChange(roleMembers))
  .meta({ id: "UpdateRole", example: { name: "Head office" } });

export type RoleRow = typeof roles.$inferSelect;
export type RoleBody = z.output<typeof CreateRole>;
export type RoleChange = z.output<typeof UpdateRole>;

/** Presents the role, its rights in the order of the catalogue. */
export const presentRoleMembers = presenter(roleMembers, Role);

/** Presents a role in lists. */
export const presentRoleSummary = presenter(roleMembers, RoleSummary);
