/** Wire shapes of the list of roles and of the catalogue of rights. */
import { z } from "zod";
import { userTypes } from "../../core/rights.ts";
import { describePage, paging, sorting } from "../../http/lists.ts";
import { roleList } from "./queries.ts";
import { rightName, RoleSummary } from "./record.ts";

export const RolePage = describePage(RoleSummary, "RolePage");

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
