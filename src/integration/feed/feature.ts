import type { Feature } from "../../feature.ts";
import { feedEndpoints } from "./routes.ts";

export const feed: Feature = {
  folder: "integration/feed",
  endpoints: feedEndpoints,
};
