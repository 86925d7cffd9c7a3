import type { Feature } from "../../feature.ts";
import { gamificationEndpoints } from "./routes.ts";
import { playFacts } from "./run.ts";
import {
  gamePlayers,
  gameReach,
  highFiveReferences,
  highFives,
  playerReferences,
  streamEventReferences,
  streamEvents,
} from "./table.ts";

export const gamification: Feature = {
  folder: "insight/gamification",
  tables: [gamePlayers, gameReach, streamEvents, highFives],
  references: [playerReferences, streamEventReferences, highFiveReferences],
  triggers: ["triggers.ts"],
  endpoints: gamificationEndpoints,
  jobs: { count: { playFacts: (deps) => playFacts(deps) } },
};
