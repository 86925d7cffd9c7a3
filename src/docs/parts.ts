/** The tables of the guides that are generated from the code. */
import type { Contribution } from "../customers/filter_catalogue.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { Parts } from "./content.ts";
import { badgeTable } from "./tables/badges.ts";
import { problemTable } from "./tables/errors.ts";
import { eventList } from "./tables/events.ts";
import { filterTable, leadFilterTable, operatorTable } from "./tables/filters.ts";
import { countdownTable, moveTable } from "./tables/leads.ts";
import { attemptLimitTable } from "./tables/limits.ts";
import { indicatorTable } from "./tables/indicators.ts";
import { personalDataTable } from "./tables/personal_data.ts";
import { placeholderTable } from "./tables/placeholders.ts";
import { rightTable } from "./tables/rights.ts";

export function guideParts(
  contributions: readonly Contribution[],
  endpoints: readonly Endpoint[],
): Parts {
  return new Map<string, () => string | Promise<string>>([
    ["problems", problemTable],
    ["events", eventList],
    ["filter-operators", operatorTable],
    ["filter-fields", () => filterTable(contributions)],
    ["lead-filter-fields", leadFilterTable],
    ["lead-moves", moveTable],
    ["lead-countdowns", countdownTable],
    ["attempt-limits", () => attemptLimitTable(endpoints)],
    ["rights", rightTable],
    ["placeholders", placeholderTable],
    ["indicators", indicatorTable],
    ["badges", badgeTable],
    ["personal-data", personalDataTable],
  ]);
}
