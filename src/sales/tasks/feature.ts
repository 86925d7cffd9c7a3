import type { Feature } from "../../feature.ts";
import { caseReassignment } from "./deletion.ts";
import { describeTaskFields } from "./filter_fields.ts";
import { taskEndpoints } from "./routes.ts";
import { taskReferences, tasks } from "./record.ts";
import { announceOverdueTasks } from "./task_timer.ts";

export const tasksFeature: Feature = {
  folder: "sales/tasks",
  tables: [tasks],
  references: [taskReferences],
  triggers: ["triggers.ts", "facts.ts"],
  endpoints: taskEndpoints,
  jobs: { timers: { announceOverdueTasks } },
  userDeletion: [caseReassignment],
  filterFields: describeTaskFields,
};
