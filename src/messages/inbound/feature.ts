import type { Feature } from "../../feature.ts";
import { inboundOperations, serveInbound } from "./serve.ts";

export const inbound: Feature = {
  folder: "messages/inbound",
  routes: [{ serve: serveInbound, operations: inboundOperations }],
};
