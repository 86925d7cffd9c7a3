/** The timeline of a case: streams of records of several kinds, each read in its order and merged. */
import type { Wire } from "../../http/endpoint.ts";
import type { z } from "zod";
import { fieldError, invalid } from "../../core/errors.ts";
import { isUuid } from "../../core/ids.ts";
import type { Context } from "../../db/context.ts";
import { type Paging, threadDeepPages } from "../../lists/paging.ts";
import { bindRows, identifier, joinSql, literal, type Sql, sql } from "../../db/statements.ts";
import { page, parsePaging } from "../../http/lists.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { parseActivity, presentActivity, selectActivityJson } from "../case_parts/activities.ts";
import { checkCaseAccess, selectCaseAccess } from "../cases/queries.ts";
import { presentStatusChange, selectStatusChangeJson } from "../cases/status_changes.ts";
import { readNoteRow, selectNoteJson } from "../notes/queries.ts";
import { presentNote } from "../notes/record.ts";
import { parseTask, selectTaskJson } from "../case_parts/tasks.ts";
import { presentTask } from "../tasks/record.ts";
import { presentTimelineEvent, selectTimelineEventJson, type TimelineEventRecord } from "./present.ts";
import type { TimelineEntry, TimelineQuery } from "./schema.ts";

type Entry = Wire<z.output<typeof TimelineEntry>>;

interface Stream {
  readonly type: string;
  readonly table: string;
  /**
   * The column of the time, which never changes, so that an entry keeps its place. An index has it after the
   * case.
   */
  readonly at: string;
  /** SQL: the JSON of the record of `entry.id`. */
  readonly record: Sql;
  readonly present: (record: Row[string], at: string) => Entry["data"];
}

/** Within a second, entries of a later stream come first. */
const streams: readonly Stream[] = [
  {
    type: "activity",
    table: "activities",
    at: "created_at",
    record: selectActivityJson(sql`entry.id`),
    present: (record, at) => presentActivity(parseActivity(record)!, at),
  },
  {
    type: "task",
    table: "tasks",
    at: "created_at",
    record: selectTaskJson(sql`entry.id`),
    present: (record, at) => presentTask(parseTask(record), at),
  },
  {
    type: "status_change",
    table: "case_status_changes",
    at: "at",
    record: selectStatusChangeJson(sql`entry.id`),
    present: (record) => presentStatusChange(record as string),
  },
  {
    type: "note",
    table: "notes",
    at: "created_at",
    record: selectNoteJson(sql`entry.id`),
    present: (record) => presentNote(readNoteRow(JSON.parse(record as string))),
  },
  {
    type: "timeline_event",
    table: "timeline_events",
    at: "occurred_at",
    record: selectTimelineEventJson(sql`entry.id`),
    present: (record) => presentTimelineEvent(JSON.parse(record as string) as TimelineEventRecord),
  },
];

/** A page of `{type, id, occurred_at, data}`, newest first. */
export async function listTimeline(
  ctx: Context,
  caseId: string,
  query: TimelineQuery,
  url: string,
) {
  const paging = parsePaging(query, { sorts: { occurred_at: "occurred_at" }, order: "-occurred_at" });
  const [access, rows, others] = await ctx.deps.db.read([
    selectCaseAccess(ctx.caller.companyId, caseId),
    selectEntries(ctx.caller.companyId, caseId, paging),
    countOthers(caseId),
  ]);
  const { activity_count } = checkCaseAccess(ctx, access!);
  return page(
    { url, ctx },
    paging,
    rows!.rows,
    activity_count + Number(others!.rows[0]!.n),
    (row) => {
      const { type, present } = streams[Number(row.place)]!;
      return {
        type,
        id: row.id as string | number,
        occurred_at: row.page_key as string,
        data: present(row.record!, ctx.at),
      } as Entry;
    },
  );
}

/** Reads a page and one more row, with the records of only these rows. */
function selectEntries(companyId: number, caseId: string, paging: Paging): Statement {
  const limit = paging.per_page + 1;
  const { offset } = paging;
  const after = readLast(paging);
  const parts = streams.map(({ table, at }, place) => {
    const time = identifier(at);
    return sql`select ${literal(place)} as place, id, at from (select id, ${time} as at
      from ${identifier(table)}
      where case_id = ${caseId}${comesAfter(after, place, time)}
      order by ${time} desc, id desc limit ${bindRows(limit + offset)})`;
  });
  const records = streams.map(({ record }, place) => sql`when ${literal(place)} then ${record}`);
  return {
    ...sql`select entry.place, entry.id, entry.at as page_key, entry.place || ' ' || entry.id as page_id,
      case entry.place ${joinSql(records, " ")} end as record
      from (select place, id, at from (${joinSql(parts, " union all ")})
      ${order} limit ${bindRows(limit)} offset ${bindRows(offset)}) entry ${order}`,
    ...threadDeepPages(companyId, offset),
  };
}

const order = sql`order by at desc, place desc, id desc`;

/** SQL: ` and …`: only entries of a stream that come after the last entry of the previous page. */
function comesAfter(after: ReturnType<typeof readLast>, place: number, time: Sql): Sql {
  if (after === null) return sql``;
  if (place === after.place) return sql` and (${time}, id) < (${after.at}, ${after.id})`;
  return place < after.place ? sql` and ${time} <= ${after.at}` : sql` and ${time} < ${after.at}`;
}

/**
 * Returns the last entry of the previous page; null for the first page. Throws 422 for an invalid `after`.
 */
function readLast({ after }: Paging): { at: string; place: number; id: string | number } | null {
  if (after === null) return null;
  const [at, key] = after;
  const [, place, id] = /^([0-4]) (.+)$/.exec(String(key)) ?? [];
  const isNote = streams[Number(place)]?.type === "note";
  if (typeof at === "string" && id !== undefined && (isNote ? /^\d{1,15}$/.test(id) : isUuid(id))) {
    return { at, place: Number(place), id: isNote ? Number(id) : id };
  }
  throw invalid(fieldError("query.after", "format", "Must be taken from urls.next, unchanged."));
}

/** Counts the entries except activities, which the case counts. */
function countOthers(caseId: string): Statement {
  const others = streams.filter(({ type }) => type !== "activity");
  const counts = others.map(({ table }) =>
    sql`(select count(*) from ${identifier(table)} where case_id = ${caseId})`
  );
  return sql`select ${joinSql(counts, " + ")} as n`;
}
