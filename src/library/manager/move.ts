/** Where a body moves an item. */
import type { Caller } from "../../core/access.ts";
import type { Sql } from "../../db/statements.ts";
import { asPlace, type Place } from "../place.ts";
import { type Destination, destinationOf, mismatch, type Target, targetJson } from "./destination.ts";

interface Item {
  readonly folder_id: string | null;
  /** What it belongs to. */
  readonly place: Pick<Place, "belongs_to" | "belongs_to_id">;
}

/**
 * SQL for `moveOf`. `current`: the item's place as JSON (SQL). A body without a group or team leaves the item with
 * the one that it belongs to.
 */
export function moveJson(caller: Caller, body: Target, current: Sql): Sql {
  return targetJson(caller, targetOf(body, current));
}

/** Returns where the item goes; null when it stays, which a body without `folder_id` does within its belonging. */
export function moveOf(
  caller: Caller,
  { folder_id, place }: Item,
  body: Target,
  { json, current }: { readonly json: unknown; readonly current: Sql },
): Destination | null {
  const isSame = body.belongs_to === place.belongs_to;
  if (folder_id !== null && body.folder_id === undefined) {
    if (isSame) return null;
    throw mismatch(place.belongs_to, body.belongs_to);
  }
  const isThere = (body.folder_id ?? null) === folder_id &&
    (folder_id !== null || asPlace(json)?.belongs_to_id === place.belongs_to_id);
  return isSame && isThere ? null : destinationOf(caller, targetOf(body, current), json);
}

function targetOf(body: Target, current: Sql): Target {
  return { ...body, current };
}
