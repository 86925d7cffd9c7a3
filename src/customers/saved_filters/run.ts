/** Runs filters of requests and saved filters. */
import { fieldError, invalid, missingReference, Problem } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import type { Row } from "../../platform/database/database.ts";
import { catalogueOf, type Contribution, type Filtered } from "../filter_catalogue.ts";
import { type Filter, parseFilter } from "../../filters/parse.ts";
import { visibleFilter } from "./queries.ts";
import { compileFilter } from "../../filters/compile.ts";
import { type Selection, unfiltered } from "../../lists/selection.ts";

/** A compiled filter for the list of its kind, and headers for the answer. */
export interface Running extends Selection {
  readonly headers: Readonly<Record<string, string>>;
}

/** The filtered kinds of records, and their related records. */
export interface Filtering {
  readonly kind: Filtered;
  readonly contributions: readonly Contribution[];
}

/** The filter of a request. 422 names every fault. */
export function readFilter(ctx: Context, { kind, contributions }: Filtering, given: unknown): Filter {
  return parseFilter(given, catalogueOf(ctx, kind, contributions), ctx.now);
}

/** The filter of a request, ready to select records. `kept`: it was stored; see `parseFilter`. */
export function runFilter(
  ctx: Context,
  { kind, contributions }: Filtering,
  given: unknown,
  { kept = false } = {},
): Running {
  const catalogue = catalogueOf(ctx, kind, contributions);
  const filter = parseFilter(given, catalogue, ctx.now, { kept });
  const { root } = catalogue;
  const selection = compileFilter(filter.nodes, { root, companyId: ctx.caller.companyId, now: ctx.at });
  return { ...selection, headers: filter.deprecated ? deprecation : {} };
}

/**
 * The saved filter that a list names, with its row; a filter that selects all when it names none. 422 when
 * the caller does not see the filter, or no longer sees one of its fields.
 */
export function savedRunning(ctx: Context, of: Filtering, id: string | undefined, row: Row | null): Running {
  if (id === undefined) return { ...unfiltered, headers: {} };
  const path = "query.filter_id";
  const saved = visibleFilter(ctx, row);
  if (!saved) throw invalid(missingReference(path, "filter"));
  try {
    return runFilter(ctx, of, JSON.parse(saved.filter), { kept: true });
  } catch (error) {
    const faults = error instanceof Problem ? error.more.errors : undefined;
    if (!faults) throw error;
    throw invalid(
      ...faults.map((fault) => fieldError(path, fault.code, `At ${fault.path}: ${fault.message}`)),
    );
  }
}

/** The headers of an answer to a filter that names fields of contacts without a kind, since the date in Unix seconds. */
export const deprecation: Readonly<Record<string, string>> = {
  Deprecation: `@${Date.UTC(2026, 0, 1) / 1000}`,
};
