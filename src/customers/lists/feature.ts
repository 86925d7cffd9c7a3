import type { Feature } from "../../feature.ts";
import { declareCustomerListEndpoints } from "./routes.ts";

export const customerLists: Feature = {
  folder: "customers/lists",
  endpoints: ({ filterFields }) => declareCustomerListEndpoints(filterFields),
};
