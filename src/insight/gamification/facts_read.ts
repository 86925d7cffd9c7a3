/** Reads of the facts that the game counts. */
import type { Caller } from "../../core/access.ts";
import { factKinds } from "../../core/fact_kinds.ts";
import { bindRows, joinSql, literal, type Sql, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { countedKinds, type Fact, makePlayer, type Player } from "./player.ts";

/** SQL: the `seq` of the last fact that the job has processed. */
export const reached = sql`ifnull((select g.seq from game_reach g where g.id = 1), 0)`;

const { case_closed, task_completed, lead_accepted, lead_escalated, lead_assigned } = factKinds;
const number = (kind: number) => literal(kind);
const counted = joinSql(countedKinds.map(number), ", ");

const columns = sql`f.seq, f.kind, f.at, f.recorded_at, f.zone, f.flags, f.value,
  iif(f.kind in (${number(case_closed)}, ${number(task_completed)}), exists (select 1 from facts e
    where e.subject = f.subject and e.kind = f.kind and e.seq < f.seq), 0) as repeats,
  iif(f.kind = ${number(lead_accepted)}, exists (select 1 from facts e
    where e.subject = f.subject and e.kind = ${number(lead_escalated)} and e.seq < f.seq
    and e.seq > ifnull((select max(s.seq) from facts s where s.subject = f.subject
      and s.kind = ${number(lead_assigned)} and s.seq < f.seq), 0)), 0) as escalated`;

/**
 * Reads the first facts that the job has not processed, of all kinds and companies, in the order of
 * recording.
 */
export function selectNextFacts(most: number): Statement {
  return sql`select f.company_id, f.user_id, ${columns} from facts f
    where f.seq > ${reached} order by f.seq limit ${bindRows(most)}`;
}

/** Users by their ids: `after` < id ≤ `last`. */
export interface Users {
  readonly after: number;
  readonly last: number;
}

/** Reads the facts of users that the game counts: `after` < seq ≤ `last`, in the order of recording. */
export function selectFactsOfUsers(users: Users, after: number, last: number): Statement {
  return sql`select f.company_id, f.user_id, ${columns} from facts f where f.seq > ${after} and f.seq <= ${last}
    and +f.user_id > ${users.after} and +f.user_id <= ${users.last} and +f.kind in (${counted}) order by f.seq`;
}

/** Whether the game counts the fact of a row of `selectNextFacts`. */
export function counts({ kind, user_id }: Row): boolean {
  return user_id !== null && countedKinds.includes(Number(kind));
}

/**
 * The most facts that a GET adds to those that the job has processed: many minutes of work of a large box.
 */
export const mostUnreached = 20_000;

/** Facts that a GET works through in one go, in a few milliseconds. */
export const stepFacts = 1_000;

/**
 * Reads `seq` (of the last fact that the job has processed), the state of a user, and the user's first facts
 * after it.
 */
export function selectPlayer(user: Pick<Caller, "companyId" | "userId">): Statement[] {
  const { companyId, userId } = user;
  return [
    sql`select ${reached} as seq`,
    sql`select state from game_players where company_id = ${companyId} and user_id = ${userId}`,
    selectFactsOfPlayer(user, reached, sql`${reached} + ${mostUnreached}`),
  ];
}

/** Reads the next facts of a user: `after` < seq ≤ `last`. */
export function selectFactsOfPlayer(
  { companyId, userId }: Pick<Caller, "companyId" | "userId">,
  after: Sql,
  last: Sql,
): Statement {
  return sql`select ${columns} from facts f where f.seq > ${after} and f.seq <= ${last}
    and +f.company_id = ${companyId} and +f.user_id = ${userId} and +f.kind in (${counted})
    order by f.seq limit ${bindRows(stepFacts)}`;
}

export function readFact(row: Row): Fact {
  return row as Row & Fact;
}

export function readPlayer(row: Row | undefined): Player {
  return row ? JSON.parse(String(row.state)) as Player : makePlayer();
}
