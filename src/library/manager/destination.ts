/** Where a request puts an item: into a folder, or at the root of what it belongs to. */
import {
  conflict,
  fieldError,
  invalid,
  missingReference,
  notFound,
  type Problem,
} from "../../core/errors.ts";
import type { Caller } from "../../core/access.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import { mayReadPlace, parsePlace, type Place, selectFolderPlaceJson } from "../place.ts";
import type { Belonging } from "../table.ts";
import { requireWrite } from "./folder_facts.ts";

export interface Target {
  readonly belongs_to: Belonging;
  /** If given, the folder decides the place. */
  readonly folder_id?: string | null | undefined;
  /** The group of the root. Absent: the group of the caller's active team. */
  readonly group_id?: number | null | undefined;
  /** The team of the root. Absent: the caller's active team. */
  readonly team_id?: number | null | undefined;
  /**
   * SQL: the current place of the item, as JSON. Its group or team is preferred to those of the active team.
   */
  readonly current?: Sql;
}

export interface Destination {
  readonly place: Place;
  /** The columns of an item in this place. */
  readonly columns: {
    readonly folder_id: string | null;
    readonly belongs_to: Belonging | null;
    readonly belongs_to_id: number | null;
  };
  /** Rejects the batch when the place has another owner than before, is deleted or being deleted. */
  readonly guard: Statement;
}

/** SQL: the place as JSON; null when there is none. */
export function selectTargetJson(caller: Caller, target: Target): Sql {
  const { companyId, userId } = caller;
  if (target.folder_id) return selectFolderPlaceJson(companyId, sql`${target.folder_id}`);
  switch (target.belongs_to) {
    case "company":
      return composeRootJson("company", sql`${companyId}`);
    case "user":
      return composeRootJson("user", sql`${userId}`);
    case "team":
      return sql`(select ${composeRootJson("team", sql`t.id`, sql`t.group_id`)} from teams t
        where t.id = ${selectRootId(target, target.team_id, sql`${caller.activeTeamId}`)}
        and t.company_id = ${companyId})`;
    case "group":
      return sql`(select ${composeRootJson("group", sql`g.id`)}
        from groups g where g.company_id = ${companyId}
        and g.id = ${selectRootId(target, target.group_id, selectGroup(caller.activeTeamId))})`;
  }
}

/**
 * Returns the destination that `selectTargetJson` selected. `at`: the prefix of the fields that name it; `inPath`:
 * the folder is in the path. Throws 422 when it does not exist or is not readable (404 for a folder in the
 * path), 403 when it is not writable, and 409 when folder and belonging disagree.
 */
export function requireDestination(
  caller: Caller,
  target: Target,
  json: unknown,
  { at = "", inPath = false }: { readonly at?: string; readonly inPath?: boolean } = {},
): Destination {
  const place = parsePlace(json);
  const folder_id = target.folder_id ?? null;
  if (!place || !mayReadPlace(caller, place)) {
    if (folder_id === null) throw invalid(missingRoot(target, at, place !== null));
    throw inPath ? notFound() : invalid(missingReference(`${at}folder_id`, "folder"));
  }
  if (place.belongs_to !== target.belongs_to) {
    throw makeMismatchProblem(place.belongs_to, target.belongs_to);
  }
  requireWrite(caller, place);
  const { belongs_to, belongs_to_id } = place;
  return {
    place,
    columns: folder_id === null
      ? { folder_id, belongs_to, belongs_to_id }
      : { folder_id, belongs_to: null, belongs_to_id: null },
    guard: guardThat("place", sql`${selectTargetJson(caller, target)} is ${json as string}`),
  };
}

/** Returns the columns of a file that is put into the destination. */
export function makePlaceColumns(
  { at, caller }: Pick<Context, "at" | "caller">,
  { columns }: Pick<Destination, "columns">,
) {
  return { ...columns, placed_by: caller.userId, placed_at: at };
}

/** Returns the 409 for a folder and a belonging that disagree. */
export function makeMismatchProblem(actual: Belonging, named: Belonging): Problem {
  const of = (belonging: Belonging) => belonging === "company" ? "the company" : `a ${belonging}`;
  return conflict("folder_mismatch", `The folder belongs to ${of(actual)}, not to ${of(named)}.`);
}

function missingRoot({ belongs_to, group_id, team_id }: Target, at: string, exists: boolean) {
  const name = `${belongs_to}_id`;
  const given = belongs_to === "team" ? team_id : group_id;
  return exists || (given ?? null) !== null
    ? missingReference(at + name, belongs_to)
    : fieldError(at + name, "required", `Must be given: you have no active ${belongs_to}.`);
}

function composeRootJson(belonging: Belonging, id: Sql, groupId: Sql = sql`null`): Sql {
  return sql`json_object('belongs_to', ${belonging}, 'belongs_to_id', ${id}, 'level', 0,
    'removed', json('false'), 'group_id', ${groupId})`;
}

function selectRootId({ belongs_to, current }: Target, given: number | null | undefined, active: Sql): Sql {
  if (typeof given === "number") return sql`${given}`;
  if (!current) return active;
  return sql`ifnull((select p.place ->> 'belongs_to_id' from (select ${current} as place) p
    where p.place ->> 'belongs_to' = ${belongs_to}), ${active})`;
}

function selectGroup(teamId: number | null): Sql {
  return sql`(select a.group_id from teams a where a.id = ${teamId})`;
}
