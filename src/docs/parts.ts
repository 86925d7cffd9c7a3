/** The tables of the guides that are generated from the code. */
import type { Contribution } from "../customers/filter_catalogue.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { Parts } from "./content.ts";
import { renderBadgeTable } from "./tables/badges.ts";
import { renderProblemTable } from "./tables/errors.ts";
import { renderEventList } from "./tables/events.ts";
import { renderFilterTable, renderLeadFilterTable, renderOperatorTable } from "./tables/filters.ts";
import { renderCountdownTable, renderMoveTable } from "./tables/leads.ts";
import { renderAttemptLimitTable } from "./tables/limits.ts";
import { renderIndicatorTable } from "./tables/indicators.ts";
import { renderPersonalDataTable } from "./tables/personal_data.ts";
import { renderPlaceholderTable } from "./tables/placeholders.ts";
import { renderRightTable } from "./tables/rights.ts";

export function makeGuideParts(
  contributions: readonly Contribution[],
  endpoints: readonly Endpoint[],
): Parts {
  return new Map<string, () => string | Promise<string>>([
    ["problems", renderProblemTable],
    ["events", renderEventList],
    ["filter-operators", renderOperatorTable],
    ["filter-fields", () => renderFilterTable(contributions)],
    ["lead-filter-fields", renderLeadFilterTable],
    ["lead-moves", renderMoveTable],
    ["lead-countdowns", renderCountdownTable],
    ["attempt-limits", () => renderAttemptLimitTable(endpoints)],
    ["rights", renderRightTable],
    ["placeholders", renderPlaceholderTable],
    ["indicators", renderIndicatorTable],
    ["badges", renderBadgeTable],
    ["personal-data", renderPersonalDataTable],
  ]);
}
