/** Reads of the caller's notifications. */
import type { Context } from "../../db/context.ts";
import { type ListCondition, makeTestCondition } from "../../lists/conditions.ts";
import { type List, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { makeOwnerScope } from "../../db/scope.ts";
import { identifier, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { noticeColumns, noticeJoins } from "./present.ts";

/** SQL: when the notification was read, by itself or together with all others. */
const readAt =
  sql`iif(notice.reopened = 1, null, coalesce(notice.read_at, (select r.at from notification_reads r
  where r.user_id = notice.user_id and r.through >= notice.seq order by r.through limit 1))) as read_at`;

/** Sorted by `seq`, which is the order of creation; the newest first by default. */
export const notificationList: List = {
  table: "notifications",
  alias: "notice",
  columns: sql`${noticeColumns}, ${readAt}`,
  joins: noticeJoins,
  id: "seq",
  sorts: { seq: "seq" },
  order: "-seq",
};

/** Returns a page of the caller's notifications, the total and the number of unread ones. */
export async function listNotifications(
  ctx: Context,
  unreadOnly: boolean,
  paging: Paging,
): Promise<{ rows: Row[]; total: number; unread: number }> {
  const { userId } = ctx.caller;
  const { rows, extraResults: [counted] } = await readList(ctx, notificationList, {
    scope: makeOwnerScope(ctx.caller, "user_id", userId),
    paging,
    fixedConditions: [shown, ...(unreadOnly ? [unread(userId)] : [])],
    totals: [],
    extraReads: [sql`select total, unread from notification_counts where user_id = ${userId}`],
  });
  const counts = counted!.rows[0];
  const ofUnread = Number(counts?.unread ?? 0);
  return { rows, total: unreadOnly ? ofUnread : Number(counts?.total ?? 0), unread: ofUnread };
}

const shown = makeTestCondition((own) => sql`${identifier(own, "expires_at")} is null`);

/**
 * Condition: the notification is unread, and newer than the last one that was read together with all others,
 * or reopened.
 */
function unread(userId: number): ListCondition {
  return makeTestCondition((own) =>
    sql`${identifier(own, "read_at")} is null and (${identifier(own, "reopened")} = 1
      or ${identifier(own, "seq")} > (select
      coalesce(max(r.through), 0) from notification_reads r where r.user_id = ${userId}))`
  );
}

/** Reads `seq` and `read_at` of the notification if the user's list has it; no row otherwise. */
export function selectOwnNotification(userId: number, id: string): Statement {
  return sql`select seq, read_at from notifications where id = ${id} and user_id = ${userId} and expires_at is null`;
}

/** Reads `n`, the number of the user's unread notifications; no row if there never was one. */
export function selectUnread(userId: number): Statement {
  return sql`select unread as n from notification_counts where user_id = ${userId}`;
}
