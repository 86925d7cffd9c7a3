import type { Feature } from "../../feature.ts";
import { serveUnsubscribing, unsubscribeOperations } from "./serve.tsx";

export const unsubscribing: Feature = {
  folder: "messages/unsubscribe",
  routes: [{ serve: serveUnsubscribing, operations: unsubscribeOperations }],
};
