/** Triggers of the stream, and of facts that a company's erasure deletes. */
import { makeTotalTriggers, type SchemaObject, trigger } from "../../db/triggers.ts";

const last = "ifnull((select max(f.seq) from facts f), 0)";

export const gameTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({ table: "stream_events" }),
  // The numbers of deleted last facts are used again. Players skip facts that they have counted, by their own
  // last fact.
  trigger(
    "game_reach_returns",
    `after delete on facts when old.seq > ${last}`,
    `update game_reach set seq = min(seq, ${last})`,
  ),
];
