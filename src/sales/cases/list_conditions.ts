/** What narrows a list of cases. */
import type { Context } from "../../db/context.ts";
import { type AccessPath, maxSortedRows } from "../../lists/access_path.ts";
import { searched } from "../../lists/search.ts";
import { type IndexKind, raw, rawSql, type Sql, sql } from "../../db/statements.ts";
import type { Value } from "../../platform/database/database.ts";
import { recentRange, type Status } from "./lifecycle.ts";
import type { CaseListQuery } from "./schema.ts";

export interface ListConditions {
  /** All of them, over the alias `cs`; kept from their indexes, so that a list is read in its order. */
  readonly conditions: readonly Sql[];
  /** With the one that most likely finds few by its index, which SQLite cannot know. Null where there is none. */
  readonly finder: AccessPath | null;
}

interface Narrowing {
  readonly condition: Sql;
  readonly finds: IndexKind;
  /** Whether SQLite does not see by itself that its index is worth it; see `seldom`. */
  readonly rare: boolean;
}

export type Query = Partial<CaseListQuery>;

export function listConditions(ctx: Context, query: Query): ListConditions {
  const all = narrowings(ctx, query);
  const conditions = all.map(({ condition }) => checked(condition));
  const [first] = all;
  return {
    conditions,
    finder: first === undefined ? null : {
      index: first.finds,
      conditions: [seldom(first), ...conditions.slice(1)],
      isSelective: few(ctx, first),
    },
  };
}

/**
 * Of a status; the second keeps to another condition's index. The order of `recent` goes by status first, so
 * there a status is a stretch of it.
 */
export function ofStatus(status: Status | undefined, mode: Query["sort_mode"]): [Sql[], Sql[]] {
  if (status === undefined) return [[], []];
  const within = mode === "recent"
    ? raw("cs.recent_key >= ? and cs.recent_key < ?", ...recentRange(status))
    : sql`cs.status = ${status}`;
  return [[within], [checked(within)]];
}

/** The one that is likely to find the fewest first. */
function narrowings(ctx: Context, query: Query): Narrowing[] {
  const all: Narrowing[] = [];
  const where = (text: string, ...args: Value[]) =>
    void all.push({ condition: raw(text, ...args), finds: "in company", rare: true });
  const between = ({ sql: text, args }: Sql) =>
    void all.push({ condition: raw(text, ...args), finds: "in company", rare: false });
  const among = (column: string, values: readonly (string | number)[] | undefined) => {
    if (values) where(`cs.${column} in (select value from json_each(?))`, JSON.stringify(values));
  };
  if (query.stock_vehicle_id) where("cs.stock_vehicle_id = ?", query.stock_vehicle_id);
  for (
    const { sql: text, args } of searched("cs.seq", "cases_search", `c${ctx.caller.companyId}z`, query.search)
  ) {
    all.push({ condition: raw(text, ...args), finds: "alone", rare: false });
  }
  among("user_id", query.users);
  const created = within("created_at", query.start_at, query.end_at);
  const done = within("highest_milestone_at", query.milestone_start_at, query.milestone_end_at);
  const ranges = [created, done].filter((range) => range !== null);
  // With both ends given first: one that is open mostly leaves more.
  ranges.filter(({ args }) => args.length === 2).forEach(between);
  among("highest_milestone_id", query.milestone_ids);
  among("lead_type_id", query.lead_types);
  among("lead_source", query.lead_sources);
  among("relations_path_id", query.relations_paths);
  among("team_id", query.teams);
  among("highest_milestone_type", query.milestone_types);
  if (query.created_from_lead !== undefined) {
    where(`cs.lead_type_id is ${query.created_from_lead ? "not null" : "null"}`);
  }
  ranges.filter(({ args }) => args.length === 1).forEach(between);
  return all;
}

function within(column: string, from: string | undefined, to: string | undefined): Sql | null {
  if (from && to) return sql`(cs.${rawSql(column)} >= ${from} and cs.${rawSql(column)} <= ${to})`;
  if (from) return sql`cs.${rawSql(column)} >= ${from}`;
  return to ? sql`cs.${rawSql(column)} <= ${to}` : null;
}

/** The same condition, which no index serves. */
function checked({ sql: text, args }: Sql): Sql {
  return raw(text.replaceAll("cs.", "+cs."), ...args);
}

/**
 * The same condition, which its index is to serve. By its statistics SQLite expects as many of one value as of
 * any other, so that it would rather read the whole company where most cases share one.
 */
function seldom({ condition: { sql: text, args }, rare }: Narrowing): Sql {
  return raw(rare ? `likelihood(${text}, 0.0001)` : text, ...args);
}

/** SQL: whether the narrowing leaves few cases of the company. */
function few({ caller }: Context, narrowing: Narrowing): Sql {
  const company = narrowing.finds === "alone" ? "+cs.company_id" : "cs.company_id";
  const { sql: text, args } = seldom(narrowing);
  return raw(
    `((select count(*) from (select 1 from cases cs where ${company} = ? and ${text} limit ${
      maxSortedRows + 1
    })) ` +
      `<= ${maxSortedRows})`,
    caller.companyId,
    ...args,
  );
}
