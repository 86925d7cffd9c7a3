/** Shared parts of the lists of accounts and of contacts. */
import type { Context } from "../db/context.ts";
import { limitToGroups, limitToTeams } from "../identity/teams/list_conditions.ts";
import { columnBetween, columnIn } from "../lists/conditions.ts";
import { searchSelection } from "../lists/search.ts";
import { type Selection, unfiltered } from "../lists/selection.ts";
import { csvIntegers, timestamp, uuid } from "../http/zod.ts";
import { paging, search, sorting } from "../http/lists.ts";

/** The parameters of a list with these sorts. */
export function listShape<Sorts extends Readonly<Record<string, string>>>(sorts: Sorts) {
  return {
    ...paging,
    ...search,
    ...sorting(sorts),
    groups: csvIntegers.optional(),
    users: csvIntegers.optional().meta({ description: "Responsible users." }),
    teams: csvIntegers.optional(),
    start_at: timestamp.optional().meta({ description: "Created at this moment or later." }),
    end_at: timestamp.optional().meta({ description: "Created at this moment or earlier." }),
  };
}

export const bySavedFilter = { filter_id: uuid.optional().meta({ description: "A saved filter." }) };

/** The parameters that select records. */
export interface ListConditions {
  readonly search?: string | undefined;
  readonly users?: readonly number[] | undefined;
  readonly groups?: readonly number[] | undefined;
  readonly teams?: readonly number[] | undefined;
  readonly start_at?: string | undefined;
  readonly end_at?: string | undefined;
}

/**
 * Returns the conditions by user, team, group, time of creation and words. `index`: the full-text index of
 * the records.
 */
export function listConditions(ctx: Context, index: string, query: ListConditions): Selection {
  const { users, teams, groups, start_at: from, end_at: until } = query;
  const words = query.search === undefined
    ? unfiltered
    : searchSelection(index, `c${ctx.caller.companyId}z`, query.search);
  const conditions = [
    ...(users ? [columnIn("user_id", users)] : []),
    ...(teams ? [limitToTeams(teams)] : []),
    ...(groups ? [limitToGroups(groups)] : []),
    ...(from || until ? columnBetween("created_at", { from, until }, ctx.at) : []),
    ...words.conditions,
  ];
  return conditions.length === 0 ? unfiltered : { conditions, paths: words.paths };
}
