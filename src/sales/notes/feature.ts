import type { Feature } from "../../feature.ts";
import { contactMoveEffects } from "./contact_moves.ts";
import { noteReferences, notes } from "./record.ts";
import { noteEndpoints } from "./routes.ts";
import { reindexedNotes } from "../reindex.ts";

export const notesFeature: Feature = {
  folder: "sales/notes",
  tables: [notes],
  references: [noteReferences],
  triggers: ["triggers.ts", "facts.ts"],
  endpoints: noteEndpoints,
  reindexed: [reindexedNotes],
  contactMoves: contactMoveEffects,
};
