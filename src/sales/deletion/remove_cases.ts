/** Removes cases with their rows, after their notes and leads. */
import { detachFiles } from "../../customers/attached_files.ts";
import type { FieldAuthor } from "../../db/commit.ts";
import { guardVersions, identifier, joinSql, literal, type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { PlannedStep, Step, Take } from "../../staged/kind.ts";
import { endWork } from "../../staged/work.ts";
import { guardDetached } from "../leads/without_case.ts";
import { draftTaskDeleted, removeTasks } from "../tasks/write.ts";
import { caseDeletion, readFullCases, selectCasesAmong } from "../cases/queries.ts";
import type { FullCase } from "../cases/parts.ts";
import { draftCaseEvent, guardShownInCase } from "../cases/write.ts";

/** Tables whose rows are deleted with their case. Tasks are deleted too, with events of their own. */
const hanging = [
  "activities",
  "timeline_events",
  "correspondences",
  "automated_sends",
  "case_milestones",
  "case_status_changes",
] as const;

/** The most that a step removes of each kind, so that it holds the write lock for well under 100 ms. */
const most = { cases: 30, tasks: 80, rows: 500, bytes: 32 * 1024 * 1024 };

/** SQL: the correspondences of a case (SQL of its id) that one step may delete, with their sizes in bytes. */
const selectLetters = (caseId: Sql) =>
  sql`(select id, coalesce(octet_length(content), 0) as size from correspondences where case_id = ${caseId}
    limit ${literal(most.rows)})`;

/**
 * Removes the cases of the ids (a select), as many as fit into a step. Removes only a part of a case that is
 * too large for a step. `after` returns further statements for the removed cases.
 */
export function removeCases(
  cases: Sql,
  take: Take,
  after: (removed: readonly FullCase[]) => readonly Statement[],
): PlannedStep {
  const taken = take(cases, most.cases);
  const counts = hanging.map((table) =>
    sql`(select count(*) from (select 1 from ${identifier(table)} where case_id = cs.id
      limit ${literal(most.rows + 1)}))`
  );
  const rowsOfCase = literal(most.rows);
  const filled = sql`(select coalesce(sum(size), 0) from ${selectLetters(sql`cs.id`)}) * ${rowsOfCase} /
    ${literal(most.bytes)}`;
  return {
    reads: [
      sql`select cs.id, max(${joinSql([...counts, filled], ", ")}) as n from cases cs
        where cs.id in (${taken.ids})`,
      ...selectCasesAmong(taken.ids),
    ],
    apply(author, [counted, ...found]) {
      const read = readFullCases(found);
      const rows = new Map(counted!.rows.map(({ id, n }) => [id, Number(n)]));
      const weight = (of: FullCase) => Math.max(of.tasks.length / most.tasks, rows.get(of.id)! / most.rows);
      const [first] = read;
      if (first && weight(first) > 1) return removePart(author, first);
      let load = 0;
      const removed = read.filter((of) => (load += weight(of)) <= 1);
      return {
        statements: [
          ...removed.map(guardShownInCase),
          guardVersions("cases", removed),
          ...deleteCaseRows(author, removed),
          ...after(removed),
        ],
        events: removed.flatMap((of) => [
          ...of.tasks.map((task) => draftTaskDeleted(task, of, author.at)),
          draftCaseEvent("case_deleted", of, author),
        ]),
        more: removed.length < read.length || read.length >= taken.most,
      };
    },
  };
}

/** Removes the cases and their rows. The batch fails while a note or lead still names one of the cases. */
export function deleteCaseRows(
  author: Pick<FieldAuthor, "at">,
  cases: readonly { readonly id: string }[],
): Statement[] {
  const ids = sql`select value from json_each(${JSON.stringify(cases.map(({ id }) => id))})`;
  const without = (table: string, column = "case_id") =>
    sql`delete from ${identifier(table)} where ${identifier(column)} in (${ids})`;
  return [
    guardDetached(ids),
    ...["tasks", ...hanging].map((table) => without(table)),
    ...detachFiles(author, "case", ids),
    endWork(caseDeletion, ids),
    without("cases", "id"),
  ];
}

/** Removes some of the rows of a case; a later step removes the case. */
function removePart(author: FieldAuthor, of: FullCase): Step {
  const tasks = of.tasks.slice(0, most.tasks);
  return {
    statements: [
      ...removeTasks(tasks),
      sql`delete from correspondences where id in (select id from
        (select id, sum(size) over (order by id) - size as earlier from ${selectLetters(sql`${of.id}`)})
        where earlier < ${literal(most.bytes)})`,
      ...hanging.filter((table) => table !== "correspondences").map((table) =>
        sql`delete from ${identifier(table)} where rowid in (select rowid from ${identifier(table)}
          where case_id = ${of.id} limit ${literal(most.rows)})`
      ),
    ],
    events: tasks.map((task) => draftTaskDeleted(task, of, author.at)),
    more: true,
  };
}
