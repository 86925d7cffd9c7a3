/** The effects that a deletion would have. */
import { z } from "zod";

const impact = z.array(z.object({ type: z.string(), amount: z.int() }));

export const DeleteImpact = z.object({ blocked_by: impact, deletes: impact, affects: impact }).meta({
  id: "DeleteImpact",
  example: { blocked_by: [], deletes: [], affects: [{ type: "users", amount: 3 }] },
});
