/** The ids of a page of a list that tells by itself how its rows are read. */
import type { Finding } from "./pages.ts";
import { inScope, type Scope } from "./scope.ts";
import { joined, raw, type Sql, sqlOf } from "./statements.ts";

/**
 * A list whose rows are many to find is read in its order, of each stream at most so many rows. A page that is
 * not full by then is sorted from all that is found after all: an order may have the filter's rows at its end.
 */
export const mostWalked = 20_000;

/** What a page is read from; every piece is over the alias `y`. */
export interface Read {
  readonly table: string;
  readonly id: string;
  /** Of the page, and a row more, and what pages before have. */
  readonly limit: number;
  /** ` order by …` */
  readonly order: string;
  /** Where the page before ended, as ` and …`. */
  readonly after: Sql;
}

/**
 * SQL: a select of ids with those of the page among them; they all match, so that whoever sorts and limits them
 * has the page.
 */
export function foundOrWalked(
  read: Read,
  scope: Scope,
  conditions: readonly Sql[],
  finding: Finding,
): Sql {
  const { table, id, limit, after } = read;
  const streams = scope.streams ?? [null];
  const most = String(mostWalked);
  const rowsOf = (place: number, columns: Sql, value: string): Sql => {
    const stream = streams[place];
    const own = stream ? ` and y.${stream.column} is ${value}` : "";
    return sqlOf`select ${columns} from ${table} y where y.company_id = ${
      raw("?", scope.companyId)
    }${own}${after}${read.order} limit ${most}`;
  };
  const fits = joined(conditions, " and ");
  const walks = streams.map((stream, place) => {
    const rows = rowsOf(place, sqlOf`y.${id}, ${fits} as fits`, "s.value");
    const ids =
      sqlOf`select json_group_array(r.${id}) from (select w.${id} from (${rows}) w where w.fits limit ${
        raw("?", limit)
      }) r`;
    const values = raw("?", JSON.stringify(stream ? stream.values : [null]));
    return sqlOf`select (${ids}), s.value, ${
      String(place)
    } from few cross join json_each(${values}) s where not few.yes`;
  });
  const seen = streams.map((_, place) =>
    sqlOf`when ${String(place)} then (select count(*) from (${rowsOf(place, raw("1"), "w.value")}))`
  );
  const unfinished = sqlOf`select 1 from walked w where json_array_length(w.ids) < ${
    raw("?", limit)
  } and case w.place ${joined(seen, " ")} end = ${most}`;
  return sqlOf`with few(yes) as materialized (select ${finding.few}), walked(ids, value, place) as materialized (${
    joined(walks, " union all ")
  }) select ${id} from (${
    foundIds(read, scope, finding, sqlOf`(select yes from few) or exists (${unfinished})`)
  }) union all select p.value from walked w join json_each(w.ids) p`;
}

/** SQL: the ids of the page, sorted from all rows that are found; none unless `only`. */
export function foundIds(
  { table, id, limit, order, after }: Read,
  scope: Scope,
  { finds, conditions }: Pick<Finding, "finds" | "conditions">,
  only: Sql | null,
): Sql {
  // The order of an owner's rows may be that of the owner's index; of a company's it is another index.
  const last = finds === "alone" ? order : order.replaceAll("y.", "+y.");
  const terms = [inScope(scope, "y", finds), ...conditions];
  const most = only ? sqlOf`iif(${only}, ${raw("?", limit)}, 0)` : raw("?", limit);
  return sqlOf`select y.${id} from ${table} y where ${joined(terms, " and ")}${after}${last} limit ${most}`;
}
