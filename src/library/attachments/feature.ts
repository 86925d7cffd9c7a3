import type { Feature } from "../../feature.ts";
import { attachmentEndpoints } from "./routes.ts";

export const attachmentsFeature: Feature = {
  folder: "library/attachments",
  endpoints: attachmentEndpoints,
};
