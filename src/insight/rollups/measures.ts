/** Measures: sums over facts, and which of them rollups store. */
import { type FactKind, factKinds } from "../../core/fact_kinds.ts";
import { literal, type Sql, sql } from "../../db/statements.ts";
import { sha256 } from "../../platform/crypto.ts";
import { indicators } from "../indicators/catalogue.ts";
import type { IndicatorDefinition, Term } from "../indicators/indicator.ts";
import { rollupKinds } from "./periods.ts";

/** What a fact adds to a sum: one of its amounts, or 1 if it has that amount. */
const amounts = ["weight", "value", "value2", "has_value", "has_value2"] as const;
export type Amount = (typeof amounts)[number];

/** A sum over the facts of a kind. */
export interface Measure {
  readonly kind: FactKind;
  /** Counts only facts whose flags have the same bits under `mask` as `bits`. */
  readonly mask: number;
  readonly bits: number;
  readonly amount: Amount;
}

/** Returns the measure of a term. The second term of a mean counts only facts that have its value. */
export function makeMeasure({ kind, terms }: IndicatorDefinition, position: number): Measure {
  const { kind: facts, mask, bits, sum } = terms[position]!;
  const isNumber = kind === "mean" && position === 1;
  return { kind: facts, mask, bits, amount: isNumber ? chooseCount(terms[0]!) : sum };
}

function chooseCount({ sum }: Term): Amount {
  return sum === "value2" ? "has_value2" : "has_value";
}

/** SQL: what a fact of the alias `f` adds; null or 0 when nothing. */
export function composeAmount({ mask, bits, amount }: Measure): Sql {
  const value = amountsOfFact[amount];
  return mask === 0 ? value : sql`iif(f.flags & ${literal(mask)} = ${literal(bits)}, ${value}, 0)`;
}

const amountsOfFact: Readonly<Record<Amount, Sql>> = {
  weight: sql`f.weight`,
  value: sql`f.value`,
  value2: sql`f.value2`,
  has_value: sql`(f.value is not null)`,
  has_value2: sql`(f.value2 is not null)`,
};

/** Returns the stored number of a measure, packed from its parts. Other measures do not change it. */
export function measureId({ kind, mask, bits, amount }: Measure): number {
  return ((factKinds[kind] * 8 + amounts.indexOf(amount)) * 1024 + mask) * 1024 + bits;
}

/** Kinds of facts without rollups: they are few, or are not counted by sums alone. */
const withoutRollups: ReadonlySet<FactKind> = new Set(["user", "user_team"]);

/** The measures that rollups keep: those of all indicators, each once. */
export const rolledMeasures: readonly Measure[] = [
  ...new Map(
    indicators.flatMap((indicator) => indicator.terms.map((_, position) => makeMeasure(indicator, position)))
      .filter(isRolled).map((measure) => [measureId(measure), measure]),
  ).values(),
];

export function isRolled({ kind }: Pick<Measure, "kind">): boolean {
  return !withoutRollups.has(kind);
}

/** Kinds of facts that have other properties than a user and a team. */
const withDims = new Set(
  indicators.filter(({ knowsLead }) => knowsLead).flatMap(({ terms }) => terms.map(({ kind }) => kind)),
);

/** The version of the measures. When it changes, all rollups are computed anew. */
export const rollupVersion = sha256(JSON.stringify([rollupKinds, rolledMeasures.map(measureId)])).slice(
  0,
  16,
);

const measuresJson = JSON.stringify(
  rolledMeasures.map((measure) => [
    measureId(measure),
    factKinds[measure.kind],
    measure.mask,
    measure.bits,
    amounts.indexOf(measure.amount),
    withDims.has(measure.kind) ? 1 : 0,
  ]),
);

/** SQL: `rolledMeasures` as rows `id`, `kind`, `mask`, `bits`, `amount` (position), `dims` (1: its facts have some). */
export const measureRows = sql`select m.value ->> 0 as id, m.value ->> 1 as kind, m.value ->> 2 as mask,
  m.value ->> 3 as bits, m.value ->> 4 as amount, m.value ->> 5 as dims from json_each(${measuresJson}) m`;
