/** Figures of indicators: by group, for each span of the question's time. One batch of reads. */
import { fieldError, invalid } from "../../core/errors.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import type { Grouping, Indicator } from "../indicators/catalogue.ts";
import { measureId, measureOf } from "../rollups/measures.ts";
import type { Question, Reader, Span } from "./question.ts";
import { mostRows, type Sum, type Summed, sumsStatement } from "./sums.ts";

/** The figures of one group. */
export interface Figures {
  /** Of the groupings of the question, in their order; null where there is none. */
  readonly ids: readonly (string | number | null)[];
  readonly names: readonly (string | null)[];
  /** One a span, not rounded; null: a mean or a rate of nothing. */
  readonly values: readonly (number | null)[];
}

/** An indicator with its groups, by id. */
export interface IndicatorFigures {
  readonly indicator: Indicator;
  /** Whether the question groups it by a property that it has; the company does not split it. */
  readonly isSplit: boolean;
  readonly groups: readonly Figures[];
}

/** How the size of an answer is limited. */
interface Limit {
  /** The parameter that the error names. */
  readonly names: "group_by" | "interval";
  /** Figures of a group in the answer: one for each span, or one of them all. */
  readonly ofGroup: number;
}

/** A group while it is added up: each sum by span. */
interface Sums {
  readonly ids: (string | number | null)[];
  readonly names: (string | null)[];
  readonly sums: Float64Array[];
}

/**
 * Returns the figures of each indicator in the order asked. An indicator without facts has one group without ids where
 * the question groups it by nothing that splits it. `limit`: of the figures of all indicators in the answer.
 */
export async function figuresOf(
  reader: Reader,
  question: Question,
  spans: readonly Span[],
  limit: Limit,
): Promise<IndicatorFigures[]> {
  const parts = question.indicators.map((indicator) => partsOf(indicator, question));
  const sources = gathered(parts.flat());
  const statements: Statement[] = sources.map(({ source }) => sumsStatement(reader, question, spans, source));
  // A long time of a large company takes a while: it must not hold up other calls.
  const aside = { effort: "scan", company: reader.company.id } as const;
  const results = statements.length > 0 ? await reader.deps.db.readAside(statements, aside) : [];
  const read = new Map(
    sources.map(({ source, wants }, index) => [wants, { source, result: results[index]! }]),
  );
  const size = { figures: 0, ...limit };
  return question.indicators.map((indicator, index) => {
    const groups = new Map<string, Sums>();
    for (const part of parts[index]!) {
      const { wants, sum } = placeOf(sources, part);
      addUp(groups, question, read.get(wants)!.result, spans.length, {
        sum,
        position: part.position,
        terms: indicator.terms.length,
        isOfPeople: indicator.special === "users",
        size,
      });
    }
    const isSplit = question.groupBy.some((grouping) =>
      grouping !== "company" && indicator.group_by.includes(grouping)
    );
    if (groups.size === 0 && !isSplit) groups.set("", emptyGroup(reader, question, indicator, spans.length));
    return { indicator, isSplit, groups: finished(indicator, groups) };
  });
}

/** A sum that an indicator needs, and the source that it is part of. */
interface Part {
  /** The position of the term that it adds to. */
  readonly position: number;
  readonly source: Omit<Summed, "sums">;
  readonly sum: Sum;
  /** Parts with the same key share a statement. */
  readonly key: string;
}

interface Gathered {
  readonly source: Summed;
  readonly wants: string;
}

function partsOf(indicator: Indicator, question: Question): Part[] {
  const { terms, special, types } = indicator;
  const has = new Set(indicator.group_by);
  const base = { types, has, knowsLead: indicator.knowsLead, isLevel: indicator.kind === "level" };
  if (special === "active_users") {
    const source = { ...base, kind: "call", team: "calls", isPublic: true, users: "distinct" } as const;
    return [{ position: 0, source, sum: sumOf(indicator, 0), key: "active_users" }];
  }
  if (special === "users") {
    const { filters, groupBy } = question;
    const byTeam = groupBy.includes("team") || groupBy.includes("group") || filters.team_ids !== null ||
      filters.group_ids !== null;
    const source = { ...base, kind: byTeam ? "user_team" : "user", isPublic: true, users: "each" } as const;
    return [{ position: 0, source, sum: sumOf(indicator, 0), key: "users" }];
  }
  const parts = terms.map(({ kind }, position): Part => ({
    position,
    source: { ...base, kind },
    sum: sumOf(indicator, position),
    key: `${kind} ${types} ${base.isLevel}`,
  }));
  if (special !== "acceptance_rate") return parts;
  // An assignment counts in the span that it was made in: acceptances of earlier ones are taken back.
  const [{ source, sum, key }] = parts as [Part];
  const late = {
    position: 0,
    source: { ...source, isLate: true },
    sum: { ...sum, sign: -1 },
    key: `${key} late`,
  };
  return [...parts, late as Part];
}

function sumOf(indicator: Indicator, position: number): Sum {
  return { measure: measureOf(indicator, position), sign: indicator.terms[position]!.sign };
}

/** One source for all parts with the same key, with each different sum once. */
function gathered(parts: readonly Part[]): Gathered[] {
  return [...Map.groupBy(parts, ({ key }) => key)].map(([key, same]) => {
    const sums = [...new Map(same.map(({ sum }) => [nameOf(sum), sum])).values()];
    return { wants: key, source: { ...same[0]!.source, sums } };
  });
}

function placeOf(sources: readonly Gathered[], part: Part): { wants: string; sum: number } {
  const of = sources.find(({ wants }) => wants === part.key)!;
  return { wants: of.wants, sum: of.source.sums.findIndex((sum) => nameOf(sum) === nameOf(part.sum)) };
}

function nameOf({ measure, sign }: Sum): string {
  return `${sign} ${measureId(measure)}`;
}

/** Less than every figure shows. */
const least = 1e-7;

interface Adding {
  /** The position of the sum in the rows. */
  readonly sum: number;
  /** The position of its term in the indicator, of so many. */
  readonly position: number;
  readonly terms: number;
  /** Counts each user once, while one of the user's memberships lasts. */
  readonly isOfPeople: boolean;
  /** Figures of all indicators so far. */
  readonly size: Limit & { figures: number };
}

function addUp(
  groups: Map<string, Sums>,
  question: Question,
  { rows }: Result,
  spans: number,
  adding: Adding,
): void {
  if (rows.length > mostRows) throw tooMany(question, "group_by");
  const people = new Map<Sums, Map<number, Float64Array>>();
  for (const row of rows) {
    const value = Number(row[`s${adding.sum}`] ?? 0);
    // Rollups and the facts that they count too much leave the rounding of their sums.
    if (Math.abs(value) < least) continue;
    const group = groupOf(groups, question, row, spans, adding);
    const span = Number(row.span);
    if (!adding.isOfPeople) group.sums[adding.position]![span]! += value;
    else {
      const of = people.get(group) ?? new Map<number, Float64Array>();
      people.set(group, of);
      const user = Number(row.user);
      const changes = of.get(user) ?? new Float64Array(spans);
      of.set(user, changes);
      changes[span]! += value;
    }
  }
  for (const [group, users] of people) for (const changes of users.values()) countPresence(group, changes);
}

/** Turns the comings and goings of a user into those of one person. */
function countPresence({ sums }: Sums, changes: Float64Array): void {
  let memberships = 0;
  let wasThere = 0;
  changes.forEach((change, span) => {
    memberships += change;
    const isThere = memberships > 0 ? 1 : 0;
    sums[0]![span]! += isThere - wasThere;
    wasThere = isThere;
  });
}

function groupOf(
  groups: Map<string, Sums>,
  question: Question,
  row: Row,
  spans: number,
  { terms, size }: Pick<Adding, "terms" | "size">,
): Sums {
  const { groupBy } = question;
  const ids = groupBy.map((_, index) => row[`g${index}`] as string | number | null);
  const key = JSON.stringify(ids);
  let group = groups.get(key);
  if (group === undefined) {
    size.figures += size.ofGroup;
    if (Math.max(size.figures, (groups.size + 1) * spans) > mostRows) throw tooMany(question, size.names);
    const names = groupBy.map((_, index) => row[`n${index}`] as string | null);
    group = { ids, names, sums: Array.from({ length: terms }, () => new Float64Array(spans)) };
    groups.set(key, group);
  }
  return group;
}

/** The error of an answer with more figures than it may have. */
export function tooMany({ at }: Question, name: "group_by" | "interval"): Error {
  const rule =
    `At most ${mostRows} figures in an answer: group by less, or ask for fewer indicators or less time.`;
  return invalid(fieldError(at + name, "max", rule));
}

function finished(indicator: Indicator, groups: ReadonlyMap<string, Sums>): Figures[] {
  return [...groups.values()].map(({ ids, names, sums }) => ({
    ids,
    names,
    values: valuesOf(indicator, sums),
  }))
    .sort((a, b) => byIds(a.ids, b.ids));
}

function emptyGroup(
  { company }: Reader,
  { groupBy }: Question,
  indicator: Indicator,
  spans: number,
): Sums {
  const ofCompany = (grouping: Grouping) => grouping === "company" && indicator.group_by.includes(grouping);
  return {
    ids: groupBy.map((grouping) => ofCompany(grouping) ? company.id : null),
    names: groupBy.map((grouping) => ofCompany(grouping) ? company.name : null),
    sums: Array.from({ length: Math.max(1, indicator.terms.length) }, () => new Float64Array(spans)),
  };
}

function valuesOf({ kind }: Indicator, sums: readonly Float64Array[]): (number | null)[] {
  let level = 0;
  return Array.from(sums[0]!, (first, span) => {
    if (kind === "level") return level += first;
    if (kind === "count" || kind === "sum") return first;
    const [, second = 0, third = 0] = sums.map((sum) => sum[span]!);
    const whole = second + third;
    if (whole === 0) return null;
    return kind === "rate" ? first / whole * 100 : first / whole;
  });
}

/** Orders ids of groups; none comes last. */
export function byIds(
  a: readonly (string | number | null)[],
  b: readonly (string | number | null)[],
): number {
  for (let index = 0; index < a.length; index++) {
    const [one, other] = [a[index]!, b[index]!];
    if (one === other) continue;
    if (one === null) return 1;
    if (other === null) return -1;
    return one < other ? -1 : 1;
  }
  return 0;
}
