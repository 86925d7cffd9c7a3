import { z } from "@hono/zod-openapi";
import { filledText } from "../../http/zod.ts";
import { pageOfSchema, paging, sorting } from "../../http/lists.ts";
import { EmbeddedTeam } from "../teams/schema.ts";
import { groupList } from "./queries.ts";
import { GroupSummary } from "../teams/group_schema.ts";

export const Group = z.object({
  id: z.int().openapi({ example: 3 }),
  name: z.string().openapi({ example: "North" }),
  teams: z.array(EmbeddedTeam),
  created_at: z.string().openapi({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().openapi({ example: "2026-01-31 10:00:00" }),
}).openapi("Group");

export const GroupPage = pageOfSchema(GroupSummary, "GroupPage");

export const GroupListQuery = z.object({ ...paging, ...sorting(groupList.sorts) });

export const CreateGroup = z.object({
  name: filledText(255).openapi({ example: "North" }),
}).openapi("CreateGroup", { example: { name: "North" } });

export const UpdateGroup = CreateGroup.partial().openapi("UpdateGroup", { example: { name: "South" } });
