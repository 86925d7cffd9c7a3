/** Turns by company: one company's many mails do not delay the single mail of another. */
import { isReleased } from "../../db/hold.ts";
import { mailLanes } from "../../db/mails.ts";
import { literal, type Sql, sql } from "../../db/statements.ts";

/** Most companies that a claim looks at; those whose mail is being sent or waits for a retry count too. */
const mostCompanies = 64;

/** SQL from `from` on: waiting correspondence, in the order of turns. */
const waiting = sql`from mails indexed by mails_in_turn
  where status = 'pending' and lane = ${literal(mailLanes.correspondence)}`;

/**
 * SQL: the id of the mail of correspondence that has been due longest in the next company after `turn` with due
 * mail; after the last company the first is next. `oldest`: SQL of the mail to take when the companies looked at
 * have none.
 */
export function nextInTurn(turn: number, now: number, oldest: Sql): Sql {
  return sql`coalesce(${after(turn, now)}, ${after(-1, now)}, ${oldest})`;
}

/** The companies come in the order of their ids: each leads to the next. */
function after(turn: number, now: number): Sql {
  return sql`(with recursive companies_in_turn (id, n) as (
    select (select company_id ${waiting} and company_id > ${turn} order by company_id limit 1), 1
    union all
    select (select m.company_id from mails m indexed by mails_in_turn where m.status = 'pending'
      and m.lane = ${
    literal(mailLanes.correspondence)
  } and m.company_id > t.id order by m.company_id limit 1), t.n + 1
    from companies_in_turn t where t.id is not null and t.n < ${literal(mostCompanies)})
    select m.id from companies_in_turn t cross join mails m on m.id = (
      select d.id from mails d indexed by mails_in_turn where d.status = 'pending'
      and d.lane = ${literal(mailLanes.correspondence)} and d.company_id = t.id and d.due_at <= ${now}
      order by d.due_at, d.id limit 1)
    where ${isReleased} limit 1)`;
}
