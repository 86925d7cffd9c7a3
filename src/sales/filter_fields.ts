/** The fields of sales by which accounts and contacts are filtered. */
import type { Contribution } from "../customers/filter_catalogue.ts";
import { caseFields } from "./cases/filter_fields.ts";
import { leadFields } from "./leads/filter_fields.ts";
import { taskFields } from "./tasks/filter_fields.ts";
import { productFields } from "./products/filter_fields.ts";

export const salesFields: Contribution = (ctx, root) => ({
  ...caseFields(ctx, root),
  ...taskFields(ctx, root),
  ...leadFields(ctx, root),
  ...productFields(ctx, root),
});
