/** Rows by the beginning of a text that many of them share, and by when they were made: value after value. */
import { rawSql, type Sql, sql } from "../db/statements.ts";
import type { Test } from "./relations.ts";

/** With more different values than these, to go through the index is faster than to jump from one to the next. */
const mostJumps = 200;

export interface SkipScan {
  readonly table: string;
  readonly companyId: number;
  /** The text of a row, as the index has it. */
  readonly text: Test;
  /** That a text, given as SQL, begins so; and that it stands before all that come after such ones. */
  readonly begins: (text: Sql) => Sql;
  readonly before: (text: Sql) => Sql;
  /** The range of `created_at`, and everything else that must hold; over a row. */
  readonly made: Test;
  readonly rest: Test;
}

/** SQL: a select of the rows' `seq`. What decides between two ways stands in their limits: there it is asked once. */
export function skipScan({ table, companyId, text, begins, before, made, rest }: SkipScan): Sql {
  const company = (of: string) => sql`${rawSql(of)}.company_id = ${sql`${companyId}`}`;
  const least = (of: Sql) =>
    sql`(select ${text("j")} from ${rawSql(table)} j where ${company("j")} and ${of} order by ${
      text("j")
    } limit 1)`;
  // One bound only at each end: of two SQLite takes the first, and would begin anew each time.
  const first = least(begins(text("j")));
  const next = least(sql`${text("j")} > v.value and ${before(text("j"))}`);
  const many = `(select count(*) from v) > ${mostJumps + 1}`;
  const rows = (from: string, of: Sql, most: string) =>
    sql`select seq from (select p0.seq from ${rawSql(from)} where ${company("p0")} and ${of} and ${
      made("p0")
    }${rest("p0")} limit iif(${rawSql(many)}, ${rawSql(most)}))`;
  const jumped = rows(`v cross join ${table} p0`, sql`${text("p0")} = v.value`, "0, -1");
  const passed = rows(`${table} p0`, begins(text("p0")), "-1, 0");
  return sql`with recursive v(value) as (select ${first} union all select ${next} from v where v.value is not null limit ${
    rawSql(String(mostJumps + 2))
  }) ${jumped} union all ${passed}`;
}
