/** The folder or root that a path names: by the id of a folder, or as `company:1`, `group:2`, `team:3`, `user:4`. */
import type { Caller } from "../../core/access.ts";
import { notFound } from "../../core/errors.ts";
import { isIntegerId, isUuid } from "../../core/ids.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import { type Destination, selectTargetJson } from "../manager/destination.ts";
import { requireWrite } from "../manager/folder_facts.ts";
import { mayReadPlace, parsePlace } from "../place.ts";
import { type Belonging, belongings } from "../table.ts";

export interface NamedPlace {
  /** Null: a root. */
  readonly folder_id: string | null;
  /** SQL: the place as JSON; null when there is none. */
  readonly json: Sql;
}

/**
 * Returns the place that the text names. Throws 404 when it names none, or the root of another company or
 * user.
 */
export function parseNamedPlace(caller: Caller, text: string): NamedPlace {
  if (isUuid(text)) {
    const folder_id = text.toLowerCase();
    // `selectTargetJson` takes the place from the folder and ignores `belongs_to`.
    return { folder_id, json: selectTargetJson(caller, { folder_id, belongs_to: "company" }) };
  }
  const [name, id = "", ...more] = text.split(":");
  const belongs_to = belongings.find((belonging) => belonging === name);
  if (!belongs_to || more.length > 0 || !isIntegerId(id) || !isOwn(caller, belongs_to, Number(id))) {
    throw notFound();
  }
  const ids = { group_id: Number(id), team_id: Number(id) };
  return { folder_id: null, json: selectTargetJson(caller, { ...ids, belongs_to }) };
}

/** Reads `place` for `requireReadablePlace` and `requireWritablePlace`. */
export function selectPlace({ json }: NamedPlace): Statement {
  return sql`select ${json} as place`;
}

/** Returns the place as a destination. Throws 404 when it does not exist or the caller may not read it. */
export function requireReadablePlace(
  caller: Caller,
  { folder_id, json }: NamedPlace,
  read: unknown,
): Destination {
  const place = parsePlace(read);
  if (!place || !mayReadPlace(caller, place)) throw notFound();
  const { belongs_to, belongs_to_id } = place;
  return {
    place,
    columns: folder_id === null
      ? { folder_id, belongs_to, belongs_to_id }
      : { folder_id, belongs_to: null, belongs_to_id: null },
    guard: guardThat("place", sql`${json} is ${read as string}`),
  };
}

/** Like `requireReadablePlace`, but throws 403 when the caller may read the place and not write it. */
export function requireWritablePlace(caller: Caller, named: NamedPlace, read: unknown): Destination {
  const destination = requireReadablePlace(caller, named, read);
  requireWrite(caller, destination.place);
  return destination;
}

/** Returns whether the root can be the caller's. For groups and teams, reading the place decides. */
function isOwn({ companyId, userId }: Caller, belongs_to: Belonging, id: number): boolean {
  if (belongs_to === "company") return id === companyId;
  return belongs_to !== "user" || id === userId;
}
