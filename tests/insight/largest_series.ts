import { indicators } from "../../src/insight/indicators/catalogue.ts";

/** 69 indicators on 720 days: just below the 50,000 figures that an answer may have. */
export const largest = new URLSearchParams({
  indicators: indicators.map(({ name }) => name).join(),
  group_by: "company",
  interval: "day",
  start_at: "2024-01-01 00:00:00",
  end_at: "2025-12-20 00:00:00",
});
