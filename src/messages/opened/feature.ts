import type { Feature } from "../../feature.ts";
import { openedOperations, serveOpened } from "./serve.ts";

export const openedFeature: Feature = {
  folder: "messages/opened",
  routes: [{ serve: serveOpened, operations: openedOperations }],
};
