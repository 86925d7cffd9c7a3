/** Stored filters that name a deleted team or user, whose records go to a successor. */
import { sql } from "../../db/statements.ts";
import type { TeamPart } from "../../identity/teams/deletion.ts";
import { changeAtOnce } from "../../identity/users/deletion.ts";
import { filterReasons } from "./stored_filter.ts";
import { namesRecord, type StopFilters } from "./stop_filters.ts";

/** Stops the filters that name the team, before its records go. */
export const teamFilters = (stopFilters: StopFilters): TeamPart => ({
  atOnce: (author, { company_id, team_id }) =>
    stopFilters(
      author,
      company_id,
      namesRecord("team_id", sql`select ${team_id}`),
      filterReasons.team,
    ),
});

/** Stops the filters that name the user. Without a successor no record changes, so that they keep their meaning. */
export const userFilters = (stopFilters: StopFilters) =>
  changeAtOnce(({ company_id, user_id, successor_id }, author) =>
    successor_id === null
      ? []
      : stopFilters(author, company_id, namesRecord("user_id", sql`select ${user_id}`), filterReasons.user)
  );
