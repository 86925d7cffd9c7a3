/** The timeline of a case: streams of records of several kinds, each read in its order and merged. */
import type { Wire } from "../../http/endpoint.ts";
import type { z } from "@hono/zod-openapi";
import { fieldError, invalid } from "../../core/errors.ts";
import { isUuid } from "../../core/ids.ts";
import { type Json, object } from "../../core/json.ts";
import type { Context } from "../../db/context.ts";
import { asideFor, type Paging, skippedBy } from "../../lists/pages.ts";
import { sql, statement } from "../../db/statements.ts";
import { page, pagingOf } from "../../http/lists.ts";
import type { Row, Statement, Value } from "../../platform/database/database.ts";
import { activityJson, activityOfJson, presentActivity } from "../activities/present.ts";
import { caseAccess, checkCaseAccess } from "../cases/queries.ts";
import { presentStatusChange, statusChangeJson } from "../cases/status_changes.ts";
import { asNote, noteJson, presentNote } from "../notes/present.ts";
import { presentTask, taskJson, taskOfJson } from "../tasks/present.ts";
import { presentTimelineEvent, timelineEventJson, type TimelineEventRecord } from "./present.ts";
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
  readonly record: string;
  readonly present: (record: Row[string], at: string) => Json<Entry["data"]>;
}

/** Within a second, entries of a later stream come first. */
const streams: readonly Stream[] = [
  {
    type: "activity",
    table: "activities",
    at: "created_at",
    record: `(select ${activityJson.sql} from activities activity where activity.id = entry.id)`,
    present: (record, at) => presentActivity(activityOfJson(record)!, at),
  },
  {
    type: "task",
    table: "tasks",
    at: "created_at",
    record: `(select ${taskJson.sql} from tasks task where task.id = entry.id)`,
    present: (record, at) => presentTask(taskOfJson(record), at),
  },
  {
    type: "status_change",
    table: "case_status_changes",
    at: "at",
    record: statusChangeJson(sql`entry.id`).sql,
    present: (record) => presentStatusChange(record as string),
  },
  {
    type: "note",
    table: "notes",
    at: "created_at",
    record: noteJson(sql`entry.id`).sql,
    present: (record) => presentNote(asNote(JSON.parse(record as string))),
  },
  {
    type: "timeline_event",
    table: "timeline_events",
    at: "occurred_at",
    record: timelineEventJson(sql`entry.id`).sql,
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
  const paging = pagingOf(query, { occurred_at: "occurred_at" }, "-occurred_at");
  const [access, rows, others] = await ctx.deps.db.read([
    caseAccess(ctx.caller.companyId, caseId),
    entriesOf(ctx.caller.companyId, caseId, paging),
    countOthers(caseId),
  ]);
  const { activity_count } = checkCaseAccess(ctx, access!);
  return page(
    { url, origin: ctx.origin },
    paging,
    rows!.rows,
    activity_count + Number(others!.rows[0]!.n),
    (row) => {
      const { type, present } = streams[Number(row.place)]!;
      return object({
        type,
        id: row.id as string | number,
        occurred_at: row.page_key as string,
        data: present(row.record!, ctx.at),
      }) as Json<Entry>;
    },
  );
}

/** A page and one more row; reads the records of these only. */
function entriesOf(companyId: number, caseId: string, paging: Paging): Statement {
  const limit = paging.per_page + 1;
  const offset = skippedBy(paging);
  const after = lastOf(paging);
  const args: Value[] = [];
  const parts = streams.map(({ table, at }, place) => {
    args.push(caseId);
    let rows = "case_id = ?";
    if (after) {
      if (place === after.place) {
        rows += ` and (${at}, id) < (?, ?)`;
        args.push(after.at, after.id);
      } else {
        rows += ` and ${at} ${place < after.place ? "<=" : "<"} ?`;
        args.push(after.at);
      }
    }
    args.push(limit + offset);
    return `select ${place} as place, id, at from (select id, ${at} as at from ${table} where ${rows} ` +
      `order by ${at} desc, id desc limit ?)`;
  });
  args.push(limit, offset);
  const order = "order by at desc, place desc, id desc";
  const records = streams.map(({ record }, place) => `when ${place} then ${record}`);
  const { sql, args: bound } = statement(
    `select entry.place, entry.id, entry.at as page_key, entry.place || ' ' || entry.id as page_id, ` +
      `case entry.place ${records.join(" ")} end as record ` +
      `from (select place, id, at from (${
        parts.join(" union all ")
      }) ${order} limit ? offset ?) entry ${order}`,
    ...args,
  );
  return { sql, args: bound, ...asideFor(companyId, offset) };
}

/** The last entry of the page before. */
function lastOf({ after }: Paging): { at: string; place: number; id: string | number } | null {
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
  return statement(
    `select ${
      others.map(({ table }) => `(select count(*) from ${table} where case_id = ?)`).join(" + ")
    } as n`,
    ...others.map(() => caseId),
  );
}
