/** Adds up the rows of a statement by the groups of a question. */
import { pageBudget } from "../../core/budgets.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import type { Result, Row } from "../../platform/database/database.ts";
import type { Question } from "./question.ts";
import { mostRows } from "./sums.ts";

/** The id of a group; null: the facts that belong to no group. */
export type Id = string | number | null;

/** How the size of an answer is limited. */
export interface Limit {
  /** The parameter that the error names. */
  readonly names: "group_by" | "interval";
  /** The number of figures of a group in the answer: one for each span, or one for all spans. */
  readonly ofGroup: number;
}

/** A group while it is added up: each sum by span. */
export interface Sums {
  readonly ids: readonly Id[];
  readonly names: readonly (string | null)[];
  readonly sums: number[][];
}

/** Sums by the JSON of the ids of their group. */
export type Groups = Map<string, Sums>;

/** Less than the smallest value that a rounded figure shows. */
const least = 1e-7;

interface Adding {
  /** The position of the sum in the rows. */
  readonly sum: number;
  /** The position of its term among the `terms` of the indicator. */
  readonly position: number;
  readonly terms: number;
  /** Whether each user counts once, as long as one of the user's memberships lasts. */
  readonly isOfPeople: boolean;
  /** The limit, and the number of figures of all indicators so far. */
  readonly size: Limit & { figures: number };
}

/** Adds one sum of the rows to the groups of an indicator, by span. Refuses an answer that grows too large. */
export function addUp(
  groups: Groups,
  question: Question,
  { rows }: Result,
  spans: number,
  adding: Adding,
): void {
  if (rows.length > mostRows) throw tooMany(question, "group_by");
  const sum = `s${adding.sum}`;
  const people = new Map<Sums, Map<number, number[]>>();
  for (const row of rows) {
    const value = Number(row[sum] ?? 0);
    // Sums of rollups, minus the facts that they count too much, have rounding errors.
    if (Math.abs(value) < least) continue;
    const key = String(row.ids);
    let group = groups.get(key);
    if (group === undefined) {
      checkSize(question, (groups.size + 1) * spans, adding.size);
      groups.set(key, group = makeGroup(row, adding.terms, spans));
    }
    const span = Number(row.span);
    if (!adding.isOfPeople) group.sums[adding.position]![span]! += value;
    else {
      const of = people.get(group) ?? new Map<number, number[]>();
      people.set(group, of);
      const user = Number(row.user);
      const changes = of.get(user) ?? zeros(spans);
      of.set(user, changes);
      changes[span]! += value;
    }
  }
  for (const [group, users] of people) for (const changes of users.values()) countPresence(group, changes);
}

/** Adds one user: turns the changes of all memberships into the changes of one person. */
function countPresence({ sums }: Sums, changes: readonly number[]): void {
  let memberships = 0;
  let wasThere = 0;
  changes.forEach((change, span) => {
    memberships += change;
    const isThere = memberships > 0 ? 1 : 0;
    sums[0]![span]! += isThere - wasThere;
    wasThere = isThere;
  });
}

function makeGroup({ ids, names }: Row, terms: number, spans: number): Sums {
  return {
    ids: JSON.parse(String(ids)),
    names: JSON.parse(String(names)),
    sums: Array.from({ length: terms }, () => zeros(spans)),
  };
}

/** Counts a new group into the size of the answer. `figures`: those of the groups of the indicator. */
function checkSize(question: Question, figures: number, size: Adding["size"]): void {
  size.figures += size.ofGroup;
  if (Math.max(size.figures, figures) > mostRows) throw tooMany(question, size.names);
}

/** A plain array: many short typed arrays take several times as long. */
export function zeros(length: number): number[] {
  return new Array<number>(length).fill(0);
}

/** The error of an answer whose names make it too large. */
export function tooLarge({ at }: Question): Error {
  const mib = pageBudget / 1024 / 1024;
  const rule = `At most ${mib} MiB in an answer: group by less, or ask for fewer figures.`;
  return invalid(fieldError(`${at}group_by`, "max", rule));
}

/** The error of an answer with more figures than it may have. */
export function tooMany({ at }: Question, name: "group_by" | "interval"): Error {
  const rule =
    `At most ${mostRows} figures in an answer: group by less, or ask for fewer indicators or less time.`;
  return invalid(fieldError(at + name, "max", rule));
}
