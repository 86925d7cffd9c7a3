/** Reads of the caller's notifications. */
import type { Context } from "../../db/context.ts";
import { type ListSource, pageOf, type Paging } from "../../lists/pages.ts";
import { companyScope } from "../../db/scope.ts";
import { indexed, type Sql, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { noticeColumns, noticeJoins } from "./present.ts";

/** When it was read, by itself or together with all. */
const readAt = "coalesce(notice.read_at, (select r.at from notification_reads r " +
  "where r.user_id = notice.user_id and r.through >= notice.seq order by r.through limit 1)) as read_at";

const source: ListSource = {
  table: "notifications",
  alias: "notice",
  columns: `${noticeColumns.sql}, ${readAt}`,
  joins: noticeJoins.sql,
  id: "seq",
};

/** The order of lists: by creation. */
export const notificationSorts = { seq: "seq" };

/** Returns a page of the caller's notifications, the total and the number of unread ones. */
export async function listNotifications(
  ctx: Context,
  unreadOnly: boolean,
  paging: Paging,
): Promise<{ rows: Row[]; total: number; unread: number }> {
  const { userId } = ctx.caller;
  const conditions = [
    indexed("alone", sql`notice.user_id = ${userId}`),
    sql`notice.expires_at is null`,
    ...(unreadOnly ? [sql`notice.read_at is null`, afterReads(userId)] : []),
  ];
  const [rows, counted] = await ctx.deps.db.read([
    pageOf(source, companyScope(ctx.caller), paging, conditions),
    sql`select total, unread from notification_counts where user_id = ${userId}`,
  ]);
  const counts = counted!.rows[0];
  const unread = Number(counts?.unread ?? 0);
  return { rows: rows!.rows, total: unreadOnly ? unread : Number(counts?.total ?? 0), unread };
}

/** Notifications newer than the last reading of all. */
function afterReads(userId: number): Sql {
  return sql`notice.seq > (select coalesce(max(r.through), 0) from notification_reads r where r.user_id = ${userId})`;
}

/** Reads a row when the user's list has the notification, with `is_unread`. */
export function ownNotification(userId: number, id: string): Statement {
  return sql`select seq, read_at from notifications where id = ${id} and user_id = ${userId} and expires_at is null`;
}
