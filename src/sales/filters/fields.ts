/** What of sales accounts and contacts can be filtered by: their cases, leads and products. */
import type { Contribution } from "../../customers/filters/catalogue.ts";
import type { FilterField } from "../../customers/filters/fields.ts";
import { caseFields } from "./cases.ts";
import { leadFields } from "./leads.ts";
import { productFields } from "./products.ts";

export const salesFields: Contribution = (ctx, root) => {
  const fields: Readonly<Record<string, FilterField>> = {
    ...caseFields(ctx, root),
    ...leadFields(ctx, root),
    ...productFields(ctx, root),
  };
  return (name) => Object.hasOwn(fields, name) ? fields[name]! : null;
};
