/** The conditions of the lists of cases. */
import { type Caller, isAdmin } from "../../core/access.ts";
import type { Context } from "../../db/context.ts";
import { identifier, sql } from "../../db/statements.ts";
import { columnBetween, columnIn, columnIs, type ListCondition, onColumn } from "../../lists/conditions.ts";
import type { Selection } from "../../lists/selection.ts";
import { searchSelection } from "../../lists/search.ts";
import { type CaseStatus, recentRange } from "./lifecycle.ts";
import type { CaseListQuery } from "./list_schema.ts";

export type Query = Partial<CaseListQuery>;

/** All conditions except the status, since the list counts all statuses. */
export function makeCaseSelection(ctx: Context, query: Query): Selection {
  const words = searchSelection("cases_search", `c${ctx.caller.companyId}z`, query.search);
  return { conditions: [...makeConditions(ctx, query), ...words.conditions], paths: words.paths };
}

/** The order of `recent` begins with the status, so a status is a range of it. */
export function limitToStatus(status: CaseStatus | undefined, mode: Query["sort_mode"]): ListCondition[] {
  if (status === undefined) return [];
  if (mode !== "recent") return [columnIs("status", status, 0.3)];
  const [from, until] = recentRange(status);
  const recent = (own: string) => identifier(own, "recent_key");
  return [onColumn(recent, "range", (of) => sql`(${of} >= ${from} and ${of} < ${until})`, 0.3)];
}

/**
 * Selects cases of teams that the caller sees. The caller's own cases, and those of an account, may belong to
 * other teams.
 */
export function limitToSeenCases(caller: Caller): ListCondition[] {
  if (isAdmin(caller)) return [];
  const teams = JSON.stringify(caller.visibleTeamIds);
  return [
    onColumn(
      (own) => identifier(own, "team_id"),
      null,
      (of) => sql`(${of} is null or ${of} in (select value from json_each(${teams})))`,
      1,
    ),
  ];
}

/** An estimate of the share of cases that one value selects. */
const parts = {
  stock_vehicle_id: 0.0001,
  account_id: 0.0001,
  contact_id: 0.0001,
  user_id: 0.005,
  highest_milestone_id: 0.05,
  lead_type_id: 0.1,
  lead_source: 0.05,
  relations_path_id: 0.1,
  team_id: 0.02,
  highest_milestone_type: 0.2,
};

function makeConditions({ at }: Context, query: Query): ListCondition[] {
  const among = (name: keyof typeof parts, values: readonly (string | number)[] | undefined) =>
    values ? [columnIn(name, values, parts[name])] : [];
  return [
    ...among("stock_vehicle_id", query.stock_vehicle_id ? [query.stock_vehicle_id] : undefined),
    ...among("account_id", query.account_ids),
    ...among("contact_id", query.contact_ids),
    ...among("user_id", query.users),
    ...columnBetween("created_at", { from: query.start_at, until: query.end_at }, at),
    ...columnBetween(
      "highest_milestone_at",
      { from: query.milestone_start_at, until: query.milestone_end_at },
      at,
    ),
    ...(query.milestone_ids ? [highestAmong(query.milestone_ids)] : []),
    ...among("lead_type_id", query.lead_types),
    ...among("lead_source", query.lead_sources),
    ...among("relations_path_id", query.relations_paths),
    ...among("team_id", query.teams),
    ...among("highest_milestone_type", query.milestone_types),
    ...(query.created_from_lead === undefined ? [] : [limitToOrigin(query.created_from_lead)]),
  ];
}

/** The index of milestones has no cases without one. */
function highestAmong(ids: readonly (string | null)[]): ListCondition {
  const done = ids.filter((id) => id !== null);
  const highest = (own: string) => identifier(own, "highest_milestone_id");
  if (done.length === ids.length) return columnIn("highest_milestone_id", done, parts.highest_milestone_id);
  const list = JSON.stringify(done);
  return onColumn(
    highest,
    null,
    (of) => sql`(${of} is null or ${of} in (select value from json_each(${list})))`,
    0.3,
  );
}

function limitToOrigin(is: boolean): ListCondition {
  const type = (own: string) => identifier(own, "lead_type_id");
  return is
    ? onColumn(type, "range", (of) => sql`${of} is not null`, 0.2)
    : onColumn(type, "equal", (of) => sql`${of} is null`, 0.8);
}
