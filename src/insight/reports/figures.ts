/** Figures of indicators: by group, for each span of the question's time. One batch of reads. */
import { Turns } from "../../core/turns.ts";
import { ReadTooMuch, type Statement } from "../../platform/database/database.ts";
import { FairQueue } from "../../platform/fair_queue.ts";
import type { Grouping, IndicatorDefinition } from "../indicators/catalogue.ts";
import { makeMeasure, measureId } from "../rollups/measures.ts";
import { addUp, type Groups, type Id, type Limit, type Sums, tooLarge, zeros } from "./groups.ts";
import type { Question, Reader, Span } from "./question.ts";
import { describeCounted } from "./spans.ts";
import { selectSums, type Sum, type Summed } from "./sums.ts";

/** The figures of one group. */
export interface Figures {
  /** Of the groupings of the question, in their order. */
  readonly ids: readonly Id[];
  readonly names: readonly (string | null)[];
  /** One value for each span, not rounded. Null: a mean or a rate without data. */
  readonly values: readonly (number | null)[];
}

/** An indicator with its groups, by id. */
export interface IndicatorFigures {
  readonly indicator: IndicatorDefinition;
  /** Whether the question groups the indicator by a property of its facts. The company does not split it. */
  readonly isSplit: boolean;
  readonly groups: readonly Figures[];
}

/**
 * The most characters of the rows of a question, twice as many as an answer may have. Until they are added
 * up they take about four times as much memory.
 */
const mostRead = 48 * 1024 * 1024;

const turns = new FairQueue({ atOnce: 4, perOrigin: 2, waiting: 400, waitingPerOrigin: 100 });

/**
 * Returns the figures of each indicator in the order asked. An indicator without facts has one empty group,
 * unless the question splits it. `limit`: applies to the figures of all indicators together. Companies take turns;
 * throws `QueueFull`.
 */
export function computeFigures(
  reader: Reader,
  question: Question,
  spans: readonly Span[],
  limit: Limit,
): Promise<IndicatorFigures[]> {
  return turns.run(String(reader.company.id), () => readFigures(reader, question, spans, limit));
}

async function readFigures(
  reader: Reader,
  question: Question,
  spans: readonly Span[],
  limit: Limit,
): Promise<IndicatorFigures[]> {
  const parts = question.indicators.map((indicator) => makeParts(indicator, question));
  const sources = gatherSources(parts.flat());
  const counted = describeCounted(spans);
  const statements: Statement[] = sources.map(({ source }) => selectSums(reader, question, counted, source));
  if (reader.limit) statements.push(reader.limit.read);
  // A long time of a large company takes a while: it must not hold up other calls.
  const how = { effort: "scan", company: reader.company.id, most: mostRead } as const;
  const results = statements.length === 0 ? [] : await reader.deps.db.readOnThread(statements, how)
    .catch((error) => {
      throw error instanceof ReadTooMuch ? tooLarge(question) : error;
    });
  reader.limit?.check(results.at(-1)!);
  const read = new Map(
    sources.map(({ source, wants }, index) => [wants, { source, result: results[index]! }]),
  );
  const size = { figures: 0, ...limit };
  const figures: IndicatorFigures[] = [];
  const turns = new Turns();
  for (const [index, indicator] of question.indicators.entries()) {
    const groups: Groups = new Map();
    for (const part of parts[index]!) {
      const { wants, sum } = findPlace(sources, part);
      addUp(groups, question, read.get(wants)!.result, spans.length, {
        sum,
        position: part.position,
        terms: indicator.terms.length,
        isOfPeople: indicator.special === "users",
        size,
      });
      await turns.next();
    }
    const isSplit = question.groupBy.some((grouping) =>
      grouping !== "company" && indicator.group_by.includes(grouping)
    );
    if (groups.size === 0 && !isSplit) {
      groups.set("[]", makeEmptyGroup(reader, question, indicator, spans.length));
    }
    figures.push({
      indicator,
      isSplit,
      groups: stripMoney(reader, indicator, completeFigures(indicator, groups)),
    });
    await turns.next();
  }
  return figures;
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

function makeParts(indicator: IndicatorDefinition, question: Question): Part[] {
  const { terms, special, types } = indicator;
  const has = new Set(indicator.group_by);
  const base = { types, has, knowsLead: indicator.knowsLead, isLevel: indicator.kind === "level" };
  if (special === "active_users") {
    const source = { ...base, kind: "call", team: "calls", isPublic: true, users: "distinct" } as const;
    return [{ position: 0, source, sum: makeSum(indicator, 0), key: "active_users" }];
  }
  if (special === "users") {
    const { filters, groupBy } = question;
    const byTeam = groupBy.includes("team") || groupBy.includes("group") || filters.team_ids !== null ||
      filters.group_ids !== null;
    const source = { ...base, kind: byTeam ? "user_team" : "user", isPublic: true, users: "each" } as const;
    return [{ position: 0, source, sum: makeSum(indicator, 0), key: "users" }];
  }
  const parts = terms.map(({ kind }, position): Part => ({
    position,
    source: { ...base, kind },
    sum: makeSum(indicator, position),
    key: `${kind} ${types} ${base.isLevel}`,
  }));
  if (special !== "acceptance_rate") return parts;
  // An assignment counts in the span in which it was made. So acceptances of earlier assignments are
  // subtracted.
  const [{ source, sum, key }] = parts as [Part];
  const late = {
    position: 0,
    source: { ...source, isLate: true },
    sum: { ...sum, sign: -1 },
    key: `${key} late`,
  };
  return [...parts, late as Part];
}

function makeSum(indicator: IndicatorDefinition, position: number): Sum {
  return { measure: makeMeasure(indicator, position), sign: indicator.terms[position]!.sign };
}

/** One source for all parts with the same key, with each different sum once. */
function gatherSources(parts: readonly Part[]): Gathered[] {
  return [...Map.groupBy(parts, ({ key }) => key)].map(([key, same]) => {
    const sums = [...new Map(same.map(({ sum }) => [nameSum(sum), sum])).values()];
    return { wants: key, source: { ...same[0]!.source, sums } };
  });
}

function findPlace(sources: readonly Gathered[], part: Part): { wants: string; sum: number } {
  const of = sources.find(({ wants }) => wants === part.key)!;
  return { wants: of.wants, sum: of.source.sums.findIndex((sum) => nameSum(sum) === nameSum(part.sum)) };
}

function nameSum({ measure, sign }: Sum): string {
  return `${sign} ${measureId(measure)}`;
}

function completeFigures(indicator: IndicatorDefinition, groups: Groups): Figures[] {
  return [...groups.values()].map(({ ids, names, sums }) => ({
    ids,
    names,
    values: computeValues(indicator, sums),
  }))
    .sort((a, b) => byIds(a.ids, b.ids));
}

/** A company that offers products without prices has no values in money, also for cases that had one before. */
function stripMoney({ company }: Reader, { unit }: IndicatorDefinition, groups: Figures[]): Figures[] {
  if (unit !== "money" || company.product_mode !== "simple") return groups;
  return groups.map((group) => ({ ...group, values: group.values.map(() => 0) }));
}

function makeEmptyGroup(
  { company }: Reader,
  { groupBy }: Question,
  indicator: IndicatorDefinition,
  spans: number,
): Sums {
  const ofCompany = (grouping: Grouping) => grouping === "company" && indicator.group_by.includes(grouping);
  return {
    ids: groupBy.map((grouping) => ofCompany(grouping) ? company.id : null),
    names: groupBy.map((grouping) => ofCompany(grouping) ? company.name : null),
    sums: Array.from({ length: Math.max(1, indicator.terms.length) }, () => zeros(spans)),
  };
}

function computeValues(
  { kind }: IndicatorDefinition,
  sums: readonly (readonly number[])[],
): readonly (number | null)[] {
  const [first, second, third] = sums as [readonly number[], ...(readonly number[])[]];
  if (kind === "count" || kind === "sum") return first;
  if (kind === "level") {
    let level = 0;
    return first.map((change) => level += change);
  }
  return first.map((part, span) => {
    const whole = (second?.[span] ?? 0) + (third?.[span] ?? 0);
    if (whole === 0) return null;
    return kind === "rate" ? part / whole * 100 : part / whole;
  });
}

/** Orders the ids of groups; null comes last. */
export function byIds(a: readonly Id[], b: readonly Id[]): number {
  for (let index = 0; index < a.length; index++) {
    const [one, other] = [a[index]!, b[index]!];
    if (one === other) continue;
    if (one === null) return 1;
    if (other === null) return -1;
    return one < other ? -1 : 1;
  }
  return 0;
}
