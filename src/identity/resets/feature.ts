import type { Feature } from "../../feature.ts";
import { resetEndpoints } from "./routes.ts";

export const resets: Feature = {
  folder: "identity/resets",
  endpoints: resetEndpoints,
};
