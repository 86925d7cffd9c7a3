/** Creates and changes the milestones and supportive activities of a path. */
import { type FieldError, fieldError, missingReference } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { insertAll, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { ActivityTypeRow, PathRecord } from "./present.ts";
import {
  type ActivityTypeBody,
  type ActivityTypeChange,
  activityTypeKinds,
  type PathChange,
} from "./schema.ts";
import { activityTypes } from "./table.ts";

type Kind = (typeof activityTypeKinds)[number];

/** The path of new activity types, and the moment in epoch milliseconds. */
interface Making {
  readonly now: number;
  readonly company_id: number;
  readonly path_id: string;
}

/** The activity types of a new path, in their order. */
export function makeActivityTypes(
  making: Making,
  given: { readonly [K in Kind]?: readonly ActivityTypeBody[] | null | undefined },
): ActivityTypeRow[] {
  return sortTypes(
    activityTypeKinds.flatMap((kind) =>
      (given[kind] ?? []).map((type, index) => makeActivityType(making, kind, type, index))
    ),
  );
}

/**
 * The activity types of a path after a change. Items with an id change, items without are created, and types
 * missing from a given list are retired. Faults go to `errors`.
 */
export function applyTypeChanges(
  making: Making,
  before: readonly ActivityTypeRow[],
  given: PathChange["activity_types"] & object,
  errors: FieldError[],
): ActivityTypeRow[] {
  const after = activityTypeKinds.flatMap((kind) => {
    const own = before.filter((type) => nameKind(type) === kind);
    const list = given[kind];
    if (list === undefined) return own;
    const known = new Map(own.map((type) => [type.id, type]));
    return (list ?? []).map((type, index) => {
      const at = `activity_types.${kind}[${index}]`;
      const was = type.id ? known.get(type.id) : undefined;
      if (type.id && !was) {
        errors.push(missingReference(`${at}.id`, `activity type among the ${kind} of the path`));
      }
      const step = type.extra_step?.id;
      if (step && step !== was?.extra_step_id) {
        errors.push(missingReference(`${at}.extra_step.id`, "extra step of the activity type"));
      }
      return was ? applyTypeChange(making, was, type, index) : makeActivityType(making, kind, type, index);
    });
  });
  const ids = activityTypeKinds.flatMap((kind) => given[kind]?.flatMap(({ id }) => id ?? []) ?? []);
  if (new Set(ids).size < ids.length) {
    errors.push(fieldError("activity_types", "unique", "Lists an activity type twice."));
  }
  return sortTypes(after);
}

/** Writes the activity types of a path. Retired types that a case has done or a rank names stay; others are deleted. */
export function writeActivityTypes(
  at: string,
  pathId: string,
  before: PathRecord["activity_types"],
  after: readonly ActivityTypeRow[],
): Statement[] {
  const kept = new Set(after.map(({ id }) => id));
  const missing = before.filter(({ id }) => !kept.has(id));
  const places = missing.map((type) => [type.id, placeOfRetired(type, before, after)]);
  return [
    sql`update activity_types set retired_at = ${at}, sort_order = e.value ->> 1
      from json_each(${JSON.stringify(places)}) e
      where activity_types.relations_path_id = ${pathId} and activity_types.id = e.value ->> 0`,
    sql`delete from activity_types where relations_path_id = ${pathId} and retired_at is null`,
    insertAll(activityTypes, [...after]),
    sql`delete from activity_types where relations_path_id = ${pathId} and retired_at is not null and not exists
      (select 1 from case_milestones m where m.activity_type_id = activity_types.id) and not exists
      (select 1 from ranks r where r.company_id = activity_types.company_id and r.milestone_id = activity_types.id)`,
    // The trigger on deletion has also kept the names of types that were inserted again. Removes these names,
    // so that a type that is deleted for good later keeps its last name.
    sql`delete from deleted_names where company_id = (select p.company_id from relations_paths p where p.id = ${pathId})
      and kind = 'activity_types'
      and id in (select t.id from activity_types t where t.relations_path_id = ${pathId})`,
  ];
}

/**
 * Returns the `sort_order` of a retired type: after all types that came before it and, if possible, not after
 * a type that came after it.
 */
function placeOfRetired(
  type: ActivityTypeRow,
  before: PathRecord["activity_types"],
  after: readonly ActivityTypeRow[],
): number {
  const placeOf = new Map(after.map(({ id, sort_order }) => [id, sort_order]));
  const others = before.filter(({ is_milestone }) => is_milestone === type.is_milestone);
  const findPlaces = (types: readonly ActivityTypeRow[]) => types.flatMap(({ id }) => placeOf.get(id) ?? []);
  const lower = findPlaces(others.filter(({ sort_order }) => sort_order < type.sort_order));
  const higher = findPlaces(others.filter(({ sort_order }) => sort_order > type.sort_order));
  return Math.max(Math.min(type.sort_order, ...higher), ...lower.map((place) => place + 1));
}

function makeActivityType(
  making: Making,
  kind: Kind,
  body: ActivityTypeChange,
  index: number,
): ActivityTypeRow {
  const bare: ActivityTypeRow = {
    id: makeId(making.now),
    company_id: making.company_id,
    relations_path_id: making.path_id,
    is_milestone: kind === "milestones" ? 1 : 0,
    name: "",
    description: null,
    type: null,
    sort_order: 0,
    set_status: null,
    suggest_task_after: null,
    template_id: null,
    content_suggestions: "[]",
    extra_step_id: null,
    extra_step_name: null,
    additional_steps: "[]",
    automated_communications: "[]",
    chance_of_success: null,
    retired_at: null,
  };
  return applyTypeChange(making, bare, body, index);
}

/** An absent member keeps its value; an absent `sort_order` becomes the place in the list. */
function applyTypeChange(
  { now }: Making,
  was: ActivityTypeRow,
  body: ActivityTypeChange,
  index: number,
): ActivityTypeRow {
  const chooseValue = <T>(given: T | null | undefined, before: T | null) =>
    given === undefined ? before : given;
  const list = (given: readonly string[] | null | undefined, before: string) =>
    given === undefined ? before : JSON.stringify(given ?? []);
  const { extra_step: step } = body;
  return {
    ...was,
    name: body.name ?? was.name,
    description: chooseValue(body.description, was.description),
    type: chooseValue(body.type, was.type),
    sort_order: body.sort_order ?? index + 1,
    set_status: chooseValue(body.set_status, was.set_status),
    suggest_task_after: chooseValue(body.suggest_task_after, was.suggest_task_after),
    template_id: chooseValue(body.template_id, was.template_id),
    content_suggestions: list(body.content_suggestions, was.content_suggestions),
    additional_steps: list(body.additional_steps, was.additional_steps),
    automated_communications: list(body.automated_communications, was.automated_communications),
    chance_of_success: chooseValue(body.chance_of_success, was.chance_of_success),
    ...(step === undefined ? {} : {
      extra_step_id: step === null ? null : step.id ?? makeId(now),
      extra_step_name: step?.name ?? null,
    }),
  };
}

function nameKind({ is_milestone }: ActivityTypeRow): Kind {
  return is_milestone === 1 ? "milestones" : "supportive";
}

/** Sorts activity types as reads do. */
function sortTypes(types: readonly ActivityTypeRow[]): ActivityTypeRow[] {
  return types.toSorted((one, other) =>
    one.sort_order === other.sort_order ? (one.id < other.id ? -1 : 1) : one.sort_order - other.sort_order
  );
}
