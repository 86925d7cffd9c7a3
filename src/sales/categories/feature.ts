import type { Feature } from "../../feature.ts";
import { productCategories } from "./record.ts";
import { categoryEndpoints } from "./routes.ts";

export const categoriesFeature: Feature = {
  folder: "sales/categories",
  tables: [productCategories],
  triggers: ["triggers.ts"],
  endpoints: ({ stopFilters }) => categoryEndpoints(stopFilters),
};
