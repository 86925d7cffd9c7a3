/** Moves open cases and open tasks of a deleted user to the successor, in steps of a few cases. */
import type { FieldAuthor } from "../../db/commit.ts";
import { selectVisibleTeamIds } from "../../db/scope.ts";
import { joinSql, type Sql, sql } from "../../db/statements.ts";
import type { Successor, UserDeletion, UserReassignment } from "../../identity/users/deletion.ts";
import { noChange } from "../../staged/kind.ts";
import { readFullCases, selectCasesAmong } from "../cases/queries.ts";
import type { FullCase } from "../cases/parts.ts";
import { changeCase } from "../cases/write.ts";
import { reassignTask } from "./write.ts";

/** Cases in a step, so that it holds the write lock for well under 100 ms. */
const most = 20;

export const caseReassignment: UserReassignment = {
  inSteps: true,
  unseen: (deletion) => sql`${joinSql(openCases(deletion, "unseen"), " union all ")} limit 1`,
  step(deletion, take) {
    if (deletion.successor_id === null) return { reads: [], apply: () => noChange };
    const taken = take(openCases(deletion, "seen"), most);
    return {
      reads: selectCasesAmong(taken.ids),
      apply(author, successor, results) {
        const cases = readFullCases(results);
        const writes = cases.flatMap((of) => reassignCase(author, of, deletion.user_id, successor!));
        return {
          statements: writes.flatMap(({ statements }) => statements),
          events: writes.map(({ event }) => event),
          more: cases.length >= taken.most,
        };
      },
    };
  },
};

/**
 * Moves the user's open tasks of a case, and the case if the user has it and it is open. A case shows its
 * tasks, so it changes with them.
 */
function reassignCase(author: FieldAuthor, of: FullCase, userId: number, successor: Successor) {
  const moved = of.tasks.filter((task) => task.user_id === userId && task.completed_at === null)
    .map((task) => reassignTask(author, task, successor, of));
  const after = new Map(moved.map(({ task }) => [task.id, task]));
  const { recent_activity: recent } = of;
  const planned = recent?.task ? after.get(recent.task.id) : undefined;
  const own = of.status === "open" && of.user_id === userId;
  const changed = changeCase(author, of, own ? { user_id: successor.id } : {}, {
    ...(own ? { user_name: successor.name } : {}),
    tasks: of.tasks.map((task) => after.get(task.id) ?? task),
    recent_activity: recent && planned ? { ...recent, task: planned } : recent,
  });
  return [...moved, changed];
}

/**
 * Two selects of cases that the successor sees or does not see: open cases of the user, and cases with an open
 * task of the user.
 */
function openCases({ company_id, user_id, successor_id }: UserDeletion, which: "seen" | "unseen"): Sql[] {
  const seen =
    sql`(cs.team_id is null or exists (select 1 from users successor where successor.id = ${successor_id}
    and (successor.user_type = 1 or cs.team_id in (${selectVisibleTeamIds(sql`successor.id`)}))))`;
  const those = which === "seen" ? seen : sql`not ${seen}`;
  return [
    sql`select cs.id from cases cs where cs.company_id = ${company_id} and cs.user_id = ${user_id}
      and cs.status = 'open' and ${those}`,
    sql`select distinct t.case_id as id from tasks t join cases cs on cs.id = t.case_id
      where t.company_id = ${company_id} and t.user_id = ${user_id} and t.completed_at is null and ${those}`,
  ];
}
