/** Decides where a body moves an item. */
import type { Caller } from "../../core/access.ts";
import { joinSql, literal, type Sql, sql } from "../../db/statements.ts";
import { parsePlace, type Place } from "../place.ts";
import { type Belonging, belongings } from "../table.ts";
import {
  type Destination,
  makeMismatchProblem,
  requireDestination,
  selectTargetJson,
  type Target,
} from "./destination.ts";

interface Item {
  readonly folder_id: string | null;
  /** What the item belongs to. */
  readonly place: Pick<Place, "belongs_to" | "belongs_to_id">;
}

/** A body whose absent members keep their values. Without `belongs_to`, a given folder decides it. */
export type Move = Omit<Target, "belongs_to" | "current"> & { readonly belongs_to?: Belonging | undefined };

/**
 * SQL: the place that the body names, as JSON for `decideMove`. `current`: the item's place as JSON (SQL).
 * Without a group or team in the body, the item stays with its own.
 */
export function moveJson(caller: Caller, body: Move, current: Sql): Sql {
  const to = (belongs_to: Belonging) => selectTargetJson(caller, { ...body, belongs_to, current });
  if (body.belongs_to !== undefined) return to(body.belongs_to);
  // `selectTargetJson` takes the place from the folder and ignores `belongs_to`.
  if (body.folder_id) return to("company");
  const roots = belongings.map((name) => sql`when ${literal(name)} then ${to(name)}`);
  return sql`(select case i.place ->> 'belongs_to' ${joinSql(roots, " ")} end
    from (select ${current} as place) i)`;
}

/**
 * Returns where the item moves, or null when it stays. Without `folder_id`, an item in a folder stays;
 * another belonging is then 409.
 */
export function decideMove(
  caller: Caller,
  { folder_id, place }: Item,
  body: Move,
  { json, current }: { readonly json: unknown; readonly current: Sql },
): Destination | null {
  const named = parsePlace(json);
  const belongs_to = body.belongs_to ?? (body.folder_id ? named?.belongs_to : null) ?? place.belongs_to;
  const isSame = belongs_to === place.belongs_to;
  if (folder_id !== null && body.folder_id === undefined) {
    if (isSame) return null;
    throw makeMismatchProblem(place.belongs_to, belongs_to);
  }
  const isThere = (body.folder_id ?? null) === folder_id &&
    (folder_id !== null || named?.belongs_to_id === place.belongs_to_id);
  return isSame && isThere ? null : requireDestination(caller, { ...body, belongs_to, current }, json);
}
