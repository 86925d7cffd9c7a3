/** Tasks that overlap a period. */
import type { Caller } from "../../core/access.ts";
import { formatTimestamp, parseTimestamp } from "../../core/time.ts";
import { identifier, sql } from "../../db/statements.ts";
import { estimateFractionOfTime, onColumn } from "../../lists/conditions.ts";
import type { Selection } from "../../lists/selection.ts";

/**
 * Selects the tasks that overlap a period. If the period has both ends, an index finds its tasks by length
 * (`span`): a task that overlaps it begins at most its own length before the start of the period. `at`: now.
 */
export function selectOverlapping(
  { companyId }: Pick<Caller, "companyId">,
  { start_at: start, end_at: end }: {
    readonly start_at?: string | undefined;
    readonly end_at?: string | undefined;
  },
  at: string,
): Selection {
  const column = (name: string) => (own: string) => sql`${identifier(own)}.${identifier(name)}`;
  const conditions = [
    ...(start ? [onColumn(column("end_at"), null, (of) => sql`${of} >= ${start}`, 0.5)] : []),
    ...(end ? [onColumn(column("start_at"), start ? null : "range", (of) => sql`${of} <= ${end}`, 0.5)] : []),
  ];
  if (!start || !end) return { conditions, paths: () => [] };
  const part = estimateFractionOfTime(start, end, at);
  const rowIds = sql`select t.rowid as row from json_each(${JSON.stringify(earliestStarts(start))}) s
    cross join tasks t on t.company_id = ${companyId} and t.span = s.key + 1
    and t.start_at >= s.value and t.start_at <= ${end} where t.end_at >= ${start}`;
  return {
    conditions,
    paths: ({ streams }) => [
      { rowIds, isDistinct: true, covers: conditions, inScope: streams === null, read: part, found: part },
    ],
  };
}

/** Returns for each span, from 1, the earliest start of a task that can last until the time. */
function earliestStarts(at: string): string[] {
  const seconds = parseTimestamp(at)! / 1000;
  return Array.from({ length: mostDigits }, (_, index) => {
    const earliest = (seconds - 8 ** (index + 1)) * 1000;
    return earliest < firstYear ? "" : formatTimestamp(earliest);
  });
}

/** Octal digits of the seconds of ten thousand years. */
const mostDigits = 13;
const firstYear = Date.parse("0001-01-01");
