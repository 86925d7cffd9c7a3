import { mostRows } from "../reports/sums.ts";
import { endings } from "./endings.ts";

/** Why no report comes, or why the last one did not. */
export const scheduleFailures = {
  maker_deleted: `The scheduled report has ended, because ${endings.maker}.`,
  right_missing: "The scheduled report has ended, because its maker lost the right reports.schedule.",
  group_deleted: `The scheduled report has ended, because ${endings.group}. Choose others.`,
  indicator_set_deleted: "The scheduled report has ended, because its indicator set was deleted.",
  indicator_set_hidden:
    "The scheduled report has ended, because its maker no longer sees the indicator set. Choose another one.",
  too_large:
    `The last report was left out: it had more than ${mostRows} figures. Choose fewer indicators or teams. The next ` +
    "one comes by the calendar.",
  internal: "The last report could not be made and was left out. The next one comes by the calendar.",
} as const;
export type ScheduleFailure = keyof typeof scheduleFailures;
