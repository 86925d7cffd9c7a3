import { z } from "zod";
import { view } from "../../http/lists.ts";
import { csv, csvUuids, requireOrder } from "../../http/zod.ts";
import { bySavedFilter, listShape } from "../list.ts";
import { accountList } from "./queries.ts";

/** The parameters of the list. */
export const AccountListQuery = requireOrder(
  z.object({
    ...listShape(accountList.sorts),
    ...view,
    ...bySavedFilter,
    created_with_lead_types: csvUuids.optional(),
    created_with_lead_sources: csv.optional(),
    created_withlead_sources: csv.optional().meta({ description: "As `created_with_lead_sources`." }),
  }),
  "start_at",
  "end_at",
);
