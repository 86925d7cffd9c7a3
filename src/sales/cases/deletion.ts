/** Open cases and open tasks of a deleted user go to the heir, in steps of a few cases. */
import type { FieldAuthor } from "../../db/commit.ts";
import { visibleTeamIds } from "../../db/scope.ts";
import { raw, type Sql, statement } from "../../db/statements.ts";
import type { Successor, UserDeletion, UserReassignment } from "../../identity/users/deletion.ts";
import { reassignedTask } from "../tasks/write.ts";
import { casesAmong, fullCases } from "./queries.ts";
import type { FullCase } from "./record.ts";
import { changedCase } from "./write.ts";

/** Cases that a step takes for their user, and as many for a task. */
const step = 20;

export const caseReassignment: UserReassignment = {
  unseen: (passing) => {
    const { sql: text, args } = leftOf(passing, false, 1);
    return statement(text, ...args);
  },
  reads: (passing) => passing.heir_id === null ? [] : casesAmong(leftOf(passing, true, step)),
  apply(author, passing, heir, results) {
    if (!heir) return { statements: [], events: [], more: false };
    const left = fullCases(results);
    const writes = left.flatMap((of) => passCase(author, of, passing.user_id, heir));
    return {
      statements: writes.flatMap(({ statements }) => statements),
      events: writes.map(({ event }) => event),
      more: left.length >= step,
    };
  },
};

/** A case shows its tasks, so it changes with them whoever it belongs to. */
function passCase(author: FieldAuthor, of: FullCase, userId: number, heir: Successor) {
  const moved = of.tasks.filter((task) => task.user_id === userId && task.completed_at === null)
    .map((task) => reassignedTask(author, task, heir, of.team_id));
  const after = new Map(moved.map(({ task }) => [task.id, task]));
  const { recent_activity: recent } = of;
  const planned = recent?.task ? after.get(recent.task.id) : undefined;
  const mine = of.status === "open" && of.user_id === userId;
  const changed = changedCase(author, of, mine ? { user_id: heir.id } : {}, {
    ...(mine ? { user_name: heir.name } : {}),
    tasks: of.tasks.map((task) => after.get(task.id) ?? task),
    recent_activity: recent && planned ? { ...recent, task: planned } : recent,
  });
  return [...moved, changed];
}

/** SQL: ids of cases with something open of the user's, of those that the heir sees, or does not see. */
function leftOf({ company_id, user_id, heir_id }: UserDeletion, seen: boolean, most: number): Sql {
  const sees = "(cs.team_id is null or exists (select 1 from users heir where heir.id = ? " +
    `and (heir.user_type = 1 or cs.team_id in (${visibleTeamIds("heir.id")}))))`;
  const those = `${seen ? "" : "not "}${sees} limit ${most}`;
  const args = [company_id, user_id, heir_id];
  return raw(
    "select id from (select cs.id from cases cs where cs.company_id = ? and cs.user_id = ? " +
      `and cs.status = 'open' and ${those}) ` +
      "union select case_id from (select t.case_id from tasks t join cases cs on cs.id = t.case_id " +
      `where t.company_id = ? and t.user_id = ? and t.completed_at is null and ${those})`,
    ...args,
    ...args,
  );
}
