import type { Feature } from "../../feature.ts";
import { declareFilterableEndpoints } from "./routes.ts";

export const filterable: Feature = {
  folder: "customers/filterable",
  endpoints: ({ filterFields }) => declareFilterableEndpoints(filterFields),
};
