/** Where a body moves an item. */
import type { Caller } from "../../core/access.ts";
import { joined, literal, type Sql, sql } from "../../db/statements.ts";
import { asPlace, type Place } from "../place.ts";
import { type Belonging, belongings } from "../table.ts";
import { type Destination, destinationOf, mismatch, type Target, targetJson } from "./destination.ts";

interface Item {
  readonly folder_id: string | null;
  /** What it belongs to. */
  readonly place: Pick<Place, "belongs_to" | "belongs_to_id">;
}

/** A body that keeps what it does not name. Without `belongs_to`, a given folder decides. */
export type Move = Omit<Target, "belongs_to" | "current"> & { readonly belongs_to?: Belonging | undefined };

/**
 * SQL for `moveOf`. `current`: the item's place as JSON (SQL). A body without a group or team leaves the item with
 * the one that it belongs to.
 */
export function moveJson(caller: Caller, body: Move, current: Sql): Sql {
  const to = (belongs_to: Belonging) => targetJson(caller, { ...body, belongs_to, current });
  if (body.belongs_to !== undefined) return to(body.belongs_to);
  // What the item belongs to does not matter to a folder.
  if (body.folder_id) return to("company");
  const roots = belongings.map((name) => sql`when ${literal(name)} then ${to(name)}`);
  return sql`(select case i.place ->> 'belongs_to' ${joined(roots, " ")} end
    from (select ${current} as place) i)`;
}

/** Returns where the item goes; null when it stays, which a body without `folder_id` does within its belonging. */
export function moveOf(
  caller: Caller,
  { folder_id, place }: Item,
  body: Move,
  { json, current }: { readonly json: unknown; readonly current: Sql },
): Destination | null {
  const named = asPlace(json);
  const belongs_to = body.belongs_to ?? (body.folder_id ? named?.belongs_to : null) ?? place.belongs_to;
  const isSame = belongs_to === place.belongs_to;
  if (folder_id !== null && body.folder_id === undefined) {
    if (isSame) return null;
    throw mismatch(place.belongs_to, belongs_to);
  }
  const isThere = (body.folder_id ?? null) === folder_id &&
    (folder_id !== null || named?.belongs_to_id === place.belongs_to_id);
  return isSame && isThere ? null : destinationOf(caller, { ...body, belongs_to, current }, json);
}
