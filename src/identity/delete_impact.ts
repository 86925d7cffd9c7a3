/** The effects that a deletion would have. */
import { z } from "@hono/zod-openapi";

const impact = z.array(z.object({ type: z.string(), amount: z.int() }));

export const DeleteImpact = z.object({ blocked_by: impact, deletes: impact, affects: impact }).openapi(
  "DeleteImpact",
  { example: { blocked_by: [], deletes: [], affects: [{ type: "users", amount: 3 }] } },
);
