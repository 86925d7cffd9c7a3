/** Triggers of tasks, which have the team of their case. */
import { copyTrigger, makeTotalTriggers, type SchemaObject } from "../../db/triggers.ts";

export const taskTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({ table: "tasks", byTeam: true, byStatus: "stage", columns: ["team_id", "stage"] }),
  copyTrigger(
    "tasks_follow_cases",
    "cases",
    ["team_id"],
    "update tasks set team_id = new.team_id where case_id = new.id",
  ),
];
