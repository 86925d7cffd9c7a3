import { z } from "zod";
import { filledLine } from "../../http/zod.ts";
import { pageOfSchema, paging, sorting } from "../../http/lists.ts";
import { EmbeddedTeam } from "../teams/record.ts";
import { groupList } from "./queries.ts";
import { GroupSummary } from "../teams/group_schema.ts";

export const Group = z.object({
  id: z.int().meta({ example: 3 }),
  name: z.string().meta({ example: "North" }),
  teams: z.array(EmbeddedTeam),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "Group" });

export const GroupPage = pageOfSchema(GroupSummary, "GroupPage");

export const GroupListQuery = z.object({ ...paging, ...sorting(groupList.sorts) });

export const CreateGroup = z.object({
  name: filledLine(255).meta({ example: "North" }),
}).meta({ id: "CreateGroup", example: { name: "North" } });

export const UpdateGroup = CreateGroup.partial().meta({ id: "UpdateGroup", example: { name: "South" } });
