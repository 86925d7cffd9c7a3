import { z } from "zod";
import { describePage, paging, sorting } from "../../http/lists.ts";
import { EmbeddedTeam } from "../teams/record.ts";
import { groupList } from "./queries.ts";
import { GroupSummary } from "./record.ts";

const { created_at, updated_at, ...first } = GroupSummary.shape;

export const Group = z.object({ ...first, teams: z.array(EmbeddedTeam), created_at, updated_at })
  .meta({ id: "Group" });

export const GroupPage = describePage(GroupSummary, "GroupPage");

export const GroupListQuery = z.object({ ...paging, ...sorting(groupList.sorts) });
