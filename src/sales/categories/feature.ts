import type { Feature } from "../../feature.ts";
import { productCategories } from "./record.ts";
import { declareCategoryEndpoints } from "./routes.ts";

export const categoriesFeature: Feature = {
  folder: "sales/categories",
  tables: [productCategories],
  triggers: ["triggers.ts"],
  endpoints: ({ stopFilters }) => declareCategoryEndpoints(stopFilters),
};
