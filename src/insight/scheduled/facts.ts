/** A scheduled report with what its answers say of other records. */
import { hasRight } from "../../db/caller_guard.ts";
import type { IndicatorSetRow } from "../indicator_sets/record.ts";
import type { ScheduleFailure } from "./failures.ts";
import type { ScheduledReportRow } from "./record.ts";

/** An indicator set, with the columns that decide who sees its name. */
export type NamedSet = Pick<IndicatorSetRow, "name" | "user_id" | "private" | "team_id" | "group_id">;

export interface ScheduleFacts extends ScheduledReportRow {
  /** JSON of `NamedSet`; null: it was deleted. */
  readonly indicator_set: string | null;
  readonly recipients_count: number;
  /** JSON for `hasRight`. */
  readonly maker_rights: string | null;
}

/**
 * Whether no more delivery comes: the report has ended, or the job will end it because its maker lacks the
 * right.
 */
export function hasEnded({ next_date, maker_rights }: ScheduleFacts): boolean {
  return next_date === null || !hasRight(maker_rights, "reports.schedule");
}

/** Returns the reason why no report comes, or why the last one was left out; null otherwise. */
export function findFailure({ maker_rights, failure }: ScheduleFacts): ScheduleFailure | null {
  if (maker_rights === null) return "maker_deleted";
  return hasRight(maker_rights, "reports.schedule") ? failure : "right_missing";
}

export interface FullScheduleFacts extends ScheduleFacts {
  /** JSON of the recipients `{id, name}`, and of the names of the filters. */
  readonly recipients: string;
  readonly names: string;
  readonly is_recipient: number;
}
