import { z } from "@hono/zod-openapi";

export const CustomerImpact = z.object({
  blocked_by: z.array(z.object({ type: z.string(), amount: z.int(), attribute: z.string() })),
  deletes: z.array(z.object({ type: z.string(), amount: z.int() })),
}).openapi("CustomerDeleteImpact", {
  example: { blocked_by: [], deletes: [{ type: "case", amount: 2 }, { type: "contact", amount: 1 }] },
});
