import type { Feature } from "../../feature.ts";
import { refusalEndpoints } from "./routes.ts";

export const refusalsOfMessages: Feature = {
  folder: "messages/refusals",
  endpoints: refusalEndpoints,
};
