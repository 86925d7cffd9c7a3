/** The definition of an indicator. */
import type { FactKind } from "../../core/fact_kinds.ts";

export const groupings = [
  "activity_type",
  "company",
  "group",
  "lead_source",
  "lead_type",
  "product",
  "relations_path",
  "team",
  "user",
] as const;
export type Grouping = (typeof groupings)[number];

export const indicatorGroups = [
  "contacts",
  "leads",
  "cases",
  "activities",
  "products",
  "messages",
  "usage",
] as const;

/**
 * `count`, `sum` and `mean` describe what happens in the time: its number, the sum of its values, their mean.
 * `rate`: one number as a percentage of another. `level`: what exists at the end of the time.
 */
export type IndicatorKind = "count" | "sum" | "level" | "mean" | "rate";

/** `money` is in the currency of the company; `percent` from 0 to 100. */
export type Unit = "number" | "money" | "seconds" | "percent";

/** A sum over facts. */
export interface Term {
  readonly kind: FactKind;
  /** Counts only facts whose flags have the same bits under `mask` as `bits`. */
  readonly mask: number;
  readonly bits: number;
  readonly sum: "weight" | "value" | "value2";
  /** -1: counts a decrease as positive. */
  readonly sign: 1 | -1;
}

export interface IndicatorDefinition {
  readonly name: string;
  readonly group: (typeof indicatorGroups)[number];
  readonly description: string;
  readonly unit: Unit;
  readonly kind: IndicatorKind;
  /** The properties of its facts. */
  readonly group_by: readonly Grouping[];
  /** Whether its facts record that a lead began them. */
  readonly knowsLead: boolean;
  /** The list of types that its facts are grouped by: of an activity, or of the milestones that it reached. */
  readonly types: "types" | "milestone_types";
  /** One term. For a mean: its sum and its number. For a rate: the part, and the parts of the whole. */
  readonly terms: readonly Term[];
  /** Set for indicators that are not plain sums: see `reports/figures.ts`. */
  readonly special: "active_users" | "users" | "acceptance_rate" | null;
}

interface More {
  readonly unit?: Unit;
  readonly kind?: IndicatorKind;
  readonly special?: IndicatorDefinition["special"];
  readonly types?: IndicatorDefinition["types"];
}

/** Returns an indicator. `terms`: as in `IndicatorDefinition`. */
export function indicator(
  name: string,
  group: IndicatorDefinition["group"],
  description: string,
  group_by: readonly Grouping[],
  terms: Term | readonly Term[],
  more: More = {},
): IndicatorDefinition {
  return {
    name,
    group,
    description,
    unit: more.unit ?? "number",
    kind: more.kind ?? "count",
    group_by: [...group_by].sort(),
    knowsLead: group_by.includes("lead_type"),
    types: more.types ?? "types",
    terms: "kind" in terms ? [terms] : terms,
    special: more.special ?? null,
  };
}

/** A term over the facts of a kind. */
export function of(kind: FactKind, more: Partial<Term> = {}): Term {
  return { kind, mask: 0, bits: 0, sum: "weight", sign: 1, ...more };
}
