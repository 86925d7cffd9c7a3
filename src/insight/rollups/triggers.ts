/** Triggers of rollups, for facts that a company's erasure deletes. */
import { type SchemaObject, trigger } from "../../db/triggers.ts";

const last = "ifnull((select max(f.seq) from facts f), 0)";

export const rollupTriggers: readonly SchemaObject[] = [
  // The numbers of deleted last facts are used again. Rollups must not skip the new facts as counted.
  trigger(
    "fact_rollup_reach_returns",
    `after delete on facts when old.seq > ${last}`,
    `update fact_rollup_reach set seq = min(seq, ${last})`,
  ),
];
