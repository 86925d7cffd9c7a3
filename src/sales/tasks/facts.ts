/** Facts of tasks: created, completed and overdue ones. */
import { inTime } from "../../core/fact_kinds.ts";
import {
  anyChanged,
  companyStays,
  factNow,
  type FactSql,
  makeFactTrigger,
  toEpochSeconds,
} from "../../facts/facts.ts";
import type { SchemaObject } from "../../db/triggers.ts";
import { factKinds } from "../../core/fact_kinds.ts";
import { describeCaseDims } from "../cases/facts.ts";

function taskFact(row: "old" | "new", kind: FactSql["kind"], fact: Partial<FactSql>): FactSql {
  return {
    kind,
    company: `${row}.company_id`,
    at: factNow,
    user: `${row}.user_id`,
    team: `${row}.team_id`,
    dims: describeCaseDims("c"),
    from: "cases c",
    ...fact,
    where: `c.id = ${row}.case_id${fact.where ? ` and ${fact.where}` : ""}`,
  };
}

/**
 * SQL: the moment from which an open task is overdue: its end, or the given moment if that is later. A change
 * before the end takes the fact back at the end.
 */
const overdueFrom = (row: string, moment: string) => `max(${toEpochSeconds(`${row}.end_at`)}, ${moment})`;
const moved = ["user_id", "team_id", "end_at", "completed_at"];

export const taskFacts: readonly SchemaObject[] = [
  makeFactTrigger(
    "facts_task_created",
    "after insert on tasks",
    taskFact("new", "task_created", { at: toEpochSeconds("new.created_at"), subject: "new.id" }),
    taskFact("new", "task_overdue", {
      at: overdueFrom("new", toEpochSeconds("new.created_at")),
      where: "new.completed_at is null",
    }),
  ),
  makeFactTrigger(
    "facts_task_changed",
    `after update of ${moved.join(", ")} on tasks when ${anyChanged(moved)}`,
    taskFact("old", "task_overdue", {
      at: overdueFrom("old", `ifnull(${toEpochSeconds("new.completed_at")}, ${factNow})`),
      weight: "-1",
      where: "old.completed_at is null",
    }),
    taskFact("new", "task_overdue", { at: overdueFrom("new", factNow), where: "new.completed_at is null" }),
  ),
  makeFactTrigger(
    "facts_task_completed",
    "after update of completed_at on tasks when old.completed_at is null and new.completed_at is not null\n" +
      `    and not exists (select 1 from facts f where f.subject = new.id and f.kind = ${factKinds.task_completed})`,
    taskFact("new", "task_completed", {
      at: toEpochSeconds("new.completed_at"),
      subject: "new.id",
      flags: `iif(new.completed_at <= new.end_at, ${inTime}, 0)`,
    }),
  ),
  makeFactTrigger(
    "facts_task_deleted",
    "after delete on tasks when old.completed_at is null and " + companyStays,
    taskFact("old", "task_overdue", { at: overdueFrom("old", factNow), weight: "-1" }),
  ),
];
