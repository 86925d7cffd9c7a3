import { z } from "zod";
import { type Right, rights, userTypes } from "../../core/rights.ts";
import { filledLine, optional, text } from "../../http/zod.ts";
import { pageOfSchema, paging, sorting } from "../../http/lists.ts";
import { roleList } from "./queries.ts";

const rightName = z.enum(Object.keys(rights) as Right[]);

export const RoleSummary = z.object({
  id: z.int().meta({ example: 4 }),
  name: z.string().meta({ example: "Agency" }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "RoleSummary" });

export const Role = RoleSummary.extend({
  rights: z.array(rightName).meta({ example: ["agency"] }),
}).meta({ id: "Role", extends: RoleSummary });

export const RolePage = pageOfSchema(RoleSummary, "RolePage");

export const RoleListQuery = z.object({ ...paging, ...sorting(roleList.sorts) });

export const RightsGroups = z.object({
  data: z.array(z.object({
    name: z.string().meta({ example: "leads" }),
    rights: z.array(z.object({
      name: rightName,
      group: z.string(),
      assignable: z.boolean().meta({ description: "Whether roles can have it." }),
      default: z.boolean().meta({ description: "Whether all users have it without a role." }),
      dependencies: z.array(rightName).meta({ description: "Rights that it requires to be in force." }),
      user_types: z.array(z.enum(Object.keys(userTypes))).optional().meta({
        description: "The user types that it works for; absent: all.",
      }),
    })),
  })),
}).meta({
  id: "RightsGroups",
  example: {
    data: [{
      name: "leads",
      rights: [{
        name: "leads.delete",
        group: "leads",
        assignable: true,
        default: false,
        dependencies: ["leads.create"],
      }],
    }],
  },
});

/** Names of rights. The verbs check them, since a right depends on others in the list. */
const names = z.array(text(255)).max(500, "At most 500 rights.");

export type RoleBody = z.output<typeof CreateRole>;
export const CreateRole = z.object({
  name: filledLine(255).meta({ description: "Unique in the company.", example: "Agency" }),
  rights: optional(names).meta({
    description: "Assignable rights, including those that they depend on.",
    example: ["agency"],
  }),
}).meta({ id: "CreateRole", example: { name: "Agency", rights: ["agency"] } });

export type RoleChange = z.output<typeof UpdateRole>;
export const UpdateRole = CreateRole.partial().meta({ id: "UpdateRole", example: { name: "Head office" } });
