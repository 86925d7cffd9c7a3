/** Runs saved filters. */
import { fieldError, invalid, missingReference, Problem } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { unfiltered } from "../../lists/selection.ts";
import type { Row } from "../../platform/database/database.ts";
import { type Filtering, runFilter, type Running } from "../filter_catalogue.ts";
import { readVisibleFilter } from "./queries.ts";

/**
 * Compiles the saved filter that a list names by `id`, from its row. Without an `id`, returns a filter that
 * selects all. Throws 422 when the caller does not see the filter, or no longer sees one of its fields, and when
 * something that it names was removed.
 */
export function runSavedFilter(
  ctx: Context,
  of: Filtering,
  id: string | undefined,
  row: Row | null,
): Running {
  if (id === undefined) return { ...unfiltered, headers: {} };
  const path = "query.filter_id";
  const saved = readVisibleFilter(ctx, row);
  if (!saved) throw invalid(missingReference(path, "filter"));
  if (saved.stopped_reason) throw invalid(fieldError(path, "exists", saved.stopped_reason));
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
