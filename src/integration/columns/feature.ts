import type { Feature } from "../../feature.ts";
import { columnEndpoints } from "./routes.ts";

export const columnsFeature: Feature = {
  folder: "integration/columns",
  endpoints: columnEndpoints,
};
