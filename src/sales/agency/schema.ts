/** Wire shapes of the agency. */
import { z } from "zod";
import { csv, queryInteger, requireOrder, timestamp, uuid } from "../../http/zod.ts";
import { paging, search, sorting, view } from "../../http/lists.ts";
import { Team } from "../../identity/teams/record.ts";
import { waitingSorts } from "../leads/list_schema.ts";

const anyId = queryInteger(0, Number.MAX_SAFE_INTEGER);

const waiting = {
  ...paging,
  ...search,
  ...sorting(waitingSorts),
  ...view,
  lead_sources: csv.optional(),
  lead_type_id: uuid.optional().meta({ description: "Only leads of this type." }),
  start_date: timestamp.optional().meta({ description: "Created at this moment or later." }),
  end_date: timestamp.optional().meta({ description: "Created at this moment or earlier." }),
};

/** For the lists of leads that have no team (assignable) or are about to change it (revoked). */
export const WaitingQuery = requireOrder(z.object(waiting), "start_date", "end_date");

export const TeamWaitingQuery = requireOrder(
  z.object({
    ...waiting,
    team_id: anyId.optional().meta({ description: "Only leads of this team.", example: 12 }),
  }),
  "start_date",
  "end_date",
);
export type TeamWaitingQuery = z.output<typeof TeamWaitingQuery>;

/** Teams have no weight: `external_weight` sorts them by id. */
export const dealerSorts = { created_at: "created_at", updated_at: "updated_at", external_weight: "id" };

export const DealerListQuery = z.object({
  ...paging,
  ...sorting(dealerSorts),
  group_id: anyId.optional().meta({ description: "Only dealers of this group.", example: 3 }),
});
export type DealerListQuery = z.output<typeof DealerListQuery>;

const AssignableTeam = Team.extend({
  case_count: z.int().meta({ description: "The number of its open cases.", example: 12 }),
}).meta({ id: "AssignableTeam", extends: Team });

export const AssignableTeams = z.object({ data: z.array(AssignableTeam) }).meta({ id: "AssignableTeams" });
