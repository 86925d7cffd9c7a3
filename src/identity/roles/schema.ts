import { z } from "@hono/zod-openapi";
import { type Right, rights, userTypes } from "../../core/rights.ts";
import { filledText, optional, text } from "../../http/zod.ts";
import { pageOfSchema, paging, sorting } from "../../http/lists.ts";
import { roleList } from "./queries.ts";

const rightName = z.enum(Object.keys(rights) as Right[]);

export const RoleSummary = z.object({
  id: z.int().openapi({ example: 4 }),
  name: z.string().openapi({ example: "Agency" }),
  created_at: z.string().openapi({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().openapi({ example: "2026-01-31 10:00:00" }),
}).openapi("RoleSummary");

export const Role = RoleSummary.extend({
  rights: z.array(rightName).openapi({ example: ["agency"] }),
}).openapi("Role");

export const RolePage = pageOfSchema(RoleSummary, "RolePage");

export const RoleListQuery = z.object({ ...paging, ...sorting(roleList.sorts) });

export const RightsGroups = z.object({
  data: z.array(z.object({
    name: z.string().openapi({ example: "leads" }),
    rights: z.array(z.object({
      name: rightName,
      group: z.string(),
      assignable: z.boolean().openapi({ description: "Whether roles can have it." }),
      default: z.boolean().openapi({ description: "Whether all users have it without a role." }),
      dependencies: z.array(rightName).openapi({ description: "Rights that it requires to be in force." }),
      user_types: z.array(z.enum(Object.keys(userTypes))).optional().openapi({
        description: "The user types that it works for; absent: all.",
      }),
    })),
  })),
}).openapi("RightsGroups", {
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

/** The verbs check the names together, once all of them are known. */
const names = z.array(text(255)).max(500, "At most 500 rights.");

export type RoleBody = z.output<typeof CreateRole>;
export const CreateRole = z.object({
  name: filledText(255).openapi({ description: "Unique in the company.", example: "Agency" }),
  rights: optional(names).openapi({
    description: "Assignable rights, including those that they depend on.",
    example: ["agency"],
  }),
}).openapi("CreateRole", { example: { name: "Agency", rights: ["agency"] } });

export type RoleChange = z.output<typeof UpdateRole>;
export const UpdateRole = CreateRole.partial().openapi("UpdateRole", { example: { name: "Head office" } });
