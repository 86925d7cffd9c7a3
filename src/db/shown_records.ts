/** The records that notifications show. Each feature contributes what its record shows. */
import { type NotificationType, notificationTypes, notified } from "../core/notifications.ts";
import { joinSql, literal, type Sql, sql } from "./statements.ts";

type Shown = Exclude<typeof notified[NotificationType][number], "user">;

/** Returns SQL of the JSON that a record shows, by SQL of its id and of the company. */
export type ShownRecord = (id: Sql, company: Sql) => Sql;

/** By the name of the record in notifications. A record without an entry shows its id alone. */
export type ShownRecords = Readonly<Partial<Record<Shown, ShownRecord>>>;

/**
 * By type of notification: the names of its records, and SQL of what they show, as arguments of `json_object`
 * over their ids in `n.value` and the company in `own`.
 */
export type ShownByType = ReadonlyMap<
  NotificationType,
  { readonly names: readonly Shown[]; readonly shown: Sql }
>;

/** Returns what each type of notification shows. */
export function selectShownByType(records: ShownRecords): ShownByType {
  const selectShown = (name: Shown) => {
    const id = sql`n.value ->> ${literal(name)}`;
    const shown = records[name]?.(id, sql`own.company`);
    return sql`${literal(name)}, ${shown ? sql`json((${shown}))` : sql`json_object('id', ${id})`}`;
  };
  return new Map(notificationTypes.map((type) => {
    const names = notified[type].filter((name) => name !== "user");
    return [type, { names, shown: joinSql(names.map(selectShown), ", ") }];
  }));
}
