import type { Feature } from "../../feature.ts";
import { describeProductFields } from "./filter_fields.ts";
import {
  productCategoryReferences,
  productReferences,
  products,
  productsInCategories,
  relatedProductReferences,
  relatedProducts,
} from "./record.ts";
import { declareProductEndpoints } from "./routes.ts";
import { reindexedProducts } from "../reindex.ts";

export const productsFeature: Feature = {
  folder: "sales/products",
  tables: [products, productsInCategories, relatedProducts],
  references: [productReferences, productCategoryReferences, relatedProductReferences],
  triggers: ["triggers.ts"],
  endpoints: ({ stopFilters }) => declareProductEndpoints(stopFilters),
  reindexed: [reindexedProducts],
  fieldValues: { owner: "product", table: "products", key: "seq" },
  filterFields: describeProductFields,
};
