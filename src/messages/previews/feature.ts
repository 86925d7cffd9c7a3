import type { Feature } from "../../feature.ts";
import { previewEndpoints } from "./routes.ts";
import { previewOperations, servePreviews } from "./serve.ts";

export const previews: Feature = {
  folder: "messages/previews",
  endpoints: previewEndpoints,
  routes: [{ serve: servePreviews, operations: previewOperations }],
};
