/** Cases that go, with the rows that hang on them. Their notes and leads are seen to before. */
import type { FieldAuthor } from "../../db/commit.ts";
import { guardVersions } from "../../db/guards.ts";
import { raw, rawSql, type Sql, sql, statement } from "../../db/statements.ts";
import { activityGone } from "../../customers/contacts/last_activity.ts";
import type { Taken } from "../../customers/removal/dependents.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { taskDeleted } from "../tasks/write.ts";
import { casesAmong, fullCases } from "./queries.ts";
import type { FullCase } from "./record.ts";
import { caseEvent, guardShown } from "./write.ts";

/** Tables whose `case_id` names the case that the row goes with. Tasks go with events of their own. */
const hanging = ["activities", "timeline_events", "case_milestones", "case_status_changes"] as const;

/** A step takes as many of one of these, or less of each: so it holds the write lock for well under 100 ms. */
const most = { cases: 30, tasks: 80, rows: 500 };

/** What a step reads of the cases of these ids (a select); as many as a step may take. */
export function removalReads({ sql: text, args }: Sql): Statement[] {
  const some = raw(`select id from (${text}) order by id limit ${most.cases}`, ...args);
  const counts = hanging.map((table) =>
    `(select count(*) from (select 1 from ${table} where case_id = cs.id limit ${most.rows + 1}))`
  );
  return [
    statement(`select cs.id, max(${counts}) as n from cases cs where cs.id in (${some.sql})`, ...args),
    ...casesAmong(some),
  ];
}

export interface CaseRemoval extends Taken {
  /** Cases that are no more afterwards. */
  readonly cases: readonly FullCase[];
}

/** A step: the first of the cases that were read; of one that has too much for a step, some of that. */
export function removeCases(author: FieldAuthor, [counted, ...found]: readonly Result[]): CaseRemoval {
  const read = fullCases(found);
  const rows = new Map(counted!.rows.map(({ id, n }) => [id, Number(n)]));
  const weight = (of: FullCase) => Math.max(of.tasks.length / most.tasks, rows.get(of.id)! / most.rows);
  const [first] = read;
  if (first && weight(first) > 1) return { ...partOf(author, first), cases: [] };
  let load = 0;
  const cases = read.filter((of) => (load += weight(of)) <= 1);
  return {
    cases,
    statements: [...cases.map(guardShown), guardVersions("cases", cases), ...caseRows(cases)],
    events: cases.flatMap((of) => [
      ...of.tasks.map((task) => taskDeleted(task, of.team_id, author.at)),
      caseEvent("case_deleted", of, author),
    ]),
    more: cases.length < read.length || read.length === most.cases,
  };
}

/** Removes the cases; nothing but what hangs on them may name them any more. */
export function caseRows(cases: readonly { readonly id: string }[]): Statement[] {
  const ids = JSON.stringify(cases.map(({ id }) => id));
  const without = (table: string, column = "case_id") =>
    sql`delete from ${rawSql(table)} where ${rawSql(column)} in (select value from json_each(${ids}))`;
  return [...["tasks", ...hanging].map((table) => without(table)), without("cases", "id")];
}

/** What was last done for customers who have lost cases, or got some. */
export function activityAgain(
  customers: { readonly accounts: readonly string[]; readonly contacts: readonly string[] },
): Statement[] {
  return activityGone(
    customers,
    (column, id) => `(select max(cs.latest_activity_at) from cases cs where cs.${column} = ${id})`,
  );
}

/** Some of what hangs on the case, which goes with a later step. */
function partOf(author: FieldAuthor, of: FullCase): Taken {
  const tasks = of.tasks.slice(0, most.tasks);
  const ids = JSON.stringify(tasks.map(({ id }) => id));
  return {
    statements: [
      guardVersions("tasks", tasks),
      sql`delete from tasks where id in (select value from json_each(${ids}))`,
      ...hanging.map((table) =>
        sql`delete from ${rawSql(table)} where rowid in (select rowid from ${
          rawSql(table)
        } where case_id = ${of.id} limit ${rawSql(String(most.rows))})`
      ),
    ],
    events: tasks.map((task) => taskDeleted(task, of.team_id, author.at)),
    more: true,
  };
}
