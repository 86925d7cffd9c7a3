/** Conditions of a list. Each tests a row; a condition on a column can also search an index. */
import { identifier, type Sql, sql } from "../db/statements.ts";

/** SQL over the row `own`, written so that SQLite does not search by its columns. */
export type Test = (own: string) => Sql;

export interface ListCondition {
  readonly test: Test;
  /** The estimated share of a company's rows that match, from 0 to 1. */
  readonly fraction: number;
  /** Null: an index does not help. */
  readonly column: ColumnCondition | null;
  /** A sort column of lists, and its range: every row that matches is in this range. */
  readonly implied?: Pick<ColumnCondition, "name" | "compare">;
  /** Whether it searches words, which may take long. */
  readonly findsWords?: boolean;
  /** The column that holds the row's number, if the test needs no other column of the row. */
  readonly numberAs?: string | null;
}

export interface ColumnCondition {
  /** The column or expression, without an alias, exactly as in indexes. */
  readonly name: string;
  /**
   * How the condition searches an index: by some values, or by one range. Null: it can only test index
   * entries.
   */
  readonly search: "equal" | "range" | null;
  /** Whether the fraction follows from times alone, as if rows were created evenly. */
  readonly isTime?: boolean;
  readonly of: (own: string) => Sql;
  /** SQL: compares the value `of`. */
  readonly compare: (of: Sql) => Sql;
}

/** A condition that no index serves. */
export function makeTestCondition(test: Test, fraction = 0.5, numberAs: string | null = null): ListCondition {
  return { test, fraction, column: null, numberAs };
}

/** A condition on a column or an expression without bound values. */
export function onColumn(
  of: (own: string) => Sql,
  search: ColumnCondition["search"],
  compare: (of: Sql) => Sql,
  fraction: number,
  isTime = false,
): ListCondition {
  const { sql: text, args } = of("r");
  if (args.length > 0) return makeTestCondition((own) => compare(of(own)), fraction);
  return {
    test: (own) => compare(sql`+(${of(own)})`),
    fraction,
    column: { name: text.replaceAll("r.", ""), search, isTime, of, compare },
  };
}

/** Selects rows with one of the values in the column. `fraction`: the share of such rows. */
export function columnIn(
  name: string,
  values: readonly (string | number)[],
  fraction = 0.005,
): ListCondition {
  const list = JSON.stringify(values);
  return onColumn(
    column(name),
    "equal",
    (of) => sql`${of} in (select value from json_each(${list}))`,
    Math.min(1, fraction * values.length),
  );
}

/** Selects rows with the value in the column. `fraction`: the estimated share of such rows. */
export function columnIs(name: string, value: string | number, fraction = 0.005): ListCondition {
  return onColumn(column(name), "equal", (of) => sql`${of} = ${value}`, fraction);
}

/** Selects rows whose column lies between two timestamps, inclusive. Either may be absent. */
export function columnBetween(
  name: string,
  { from, until }: { readonly from?: string | undefined; readonly until?: string | undefined },
  now: string,
): ListCondition[] {
  const both = estimateFractionOfTime(from ?? null, until ?? null, now);
  return [
    ...(from ? [onColumn(column(name), "range", (of) => sql`${of} >= ${from}`, both, true)] : []),
    ...(until
      ? [onColumn(column(name), "range", (of) => sql`${of} <= ${until}`, from ? 1 : both, true)]
      : []),
  ];
}

/**
 * Estimates the share of rows in a range of timestamps, as if rows were created evenly over the last three
 * years.
 */
export function estimateFractionOfTime(from: string | null, until: string | null, now: string): number {
  const [at, first] = [Date.parse(now.replace(" ", "T") + "Z"), 3 * 365 * 86_400_000];
  const start = from === null ? at - first : Date.parse(from.replace(" ", "T") + "Z");
  const end = until === null ? at : Math.min(at, Date.parse(until.replace(" ", "T") + "Z"));
  return Math.min(1, Math.max(0.0005, (end - start) / first));
}

function column(name: string): (own: string) => Sql {
  return (own) => identifier(own, name);
}
