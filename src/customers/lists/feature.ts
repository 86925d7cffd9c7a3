import type { Feature } from "../../feature.ts";
import { customerListEndpoints } from "./routes.ts";

export const customerLists: Feature = {
  folder: "customers/lists",
  endpoints: ({ filterFields }) => customerListEndpoints(filterFields),
};
