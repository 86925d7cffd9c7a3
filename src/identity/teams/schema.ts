/** Wire shapes of the list of teams and of deletions. */
import { z } from "zod";
import { describePage, paging, search, sorting } from "../../http/lists.ts";
import { csvIntegers, queryInteger } from "../../http/zod.ts";
import { teamList } from "./queries.ts";
import { Team } from "./record.ts";

export const TeamPage = describePage(Team, "TeamPage");

export const TeamListQuery = z.object({
  ...paging,
  ...search,
  ...sorting(teamList.sorts),
  groups: csvIntegers.optional().meta({ description: "Only teams of these groups.", example: "3,4" }),
});

export const DeleteTeamQuery = z.object({
  assign_to: queryInteger(1, Number.MAX_SAFE_INTEGER).optional().meta({
    description: "The id of a team that the caller may use. It takes over all records of the deleted team.",
    example: 8,
  }),
});
