import type { Feature } from "../../feature.ts";
import { filterableEndpoints } from "./routes.ts";

export const filterable: Feature = {
  folder: "customers/filterable",
  endpoints: ({ filterFields }) => filterableEndpoints(filterFields),
};
