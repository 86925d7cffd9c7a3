/** What of sales accounts and contacts can be filtered by: their cases, leads and products. */
import type { Contribution } from "../../customers/filters/catalogue.ts";
import { caseFields } from "./cases.ts";
import { leadFields } from "./leads.ts";
import { productFields } from "./products.ts";

export const salesFields: Contribution = (ctx, root) => ({
  ...caseFields(ctx, root),
  ...leadFields(ctx, root),
  ...productFields(ctx, root),
});
