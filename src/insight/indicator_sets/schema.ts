/** Wire shapes of the list of indicator sets. */
import { z } from "zod";
import { describePage, paging, sorting } from "../../http/lists.ts";
import { csvUuids } from "../../http/zod.ts";
import { IndicatorSet } from "./record.ts";

export const setSorts = { created_at: "created_at" };

/** The number of sets on a page without `per_page`. */
export const setsOnPage = 50;

export const IndicatorSetListQuery = z.object({
  ids: csvUuids.optional(),
  ...paging,
  per_page: paging.per_page.meta({
    description: `1 to 100; ${setsOnPage} when absent.`,
    example: setsOnPage,
  }),
  ...sorting(setSorts),
});

export type IndicatorSetListQuery = z.output<typeof IndicatorSetListQuery>;

export const IndicatorSetPage = describePage(IndicatorSet, "IndicatorSetPage");
