/** A question about figures, and who asks. */
import type { Member } from "../../core/access.ts";
import type { Sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { Grouping, IndicatorDefinition } from "../indicators/catalogue.ts";

export interface Filters {
  readonly activity_type_ids: readonly string[] | null;
  readonly created_from_lead: boolean | null;
  readonly group_ids: readonly number[] | null;
  readonly lead_sources: readonly string[] | null;
  readonly lead_type_ids: readonly string[] | null;
  /** The ids, or SQL of a JSON list of ids. */
  readonly product_ids: readonly string[] | Sql | null;
  readonly relations_path_ids: readonly string[] | null;
  readonly team_ids: readonly number[] | null;
  readonly user_ids: readonly number[] | null;
}

export const noFilters: Filters = {
  activity_type_ids: null,
  created_from_lead: null,
  group_ids: null,
  lead_sources: null,
  lead_type_ids: null,
  product_ids: null,
  relations_path_ids: null,
  team_ids: null,
  user_ids: null,
};

/** Counts what happened at a time t with start ≤ t < end, epoch seconds. */
export interface Question {
  readonly indicators: readonly IndicatorDefinition[];
  readonly start: number;
  readonly end: number;
  readonly groupBy: readonly Grouping[];
  readonly filters: Filters;
  /** Where the request has the parameters, for errors: the query or the body. */
  readonly at: "query." | "";
}

/** The company whose figures are read. */
export interface ReportCompany {
  readonly id: number;
  readonly name: string;
  readonly locale: string;
  readonly timezone: string;
  readonly currency: string;
  readonly product_mode: string;
}

/** The user who asks, and the company. The figures are those that this user may see now. */
export interface Reader {
  readonly deps: Pick<Deps, "db">;
  readonly caller: Member;
  readonly company: ReportCompany;
  /** A limit that is read in the round trip of the figures; `check` throws when it is used up. */
  readonly limit?: { readonly read: Statement; check(found: Result): void };
}

/** A part of the answer's time: [start, end), cut to the time of the question. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
