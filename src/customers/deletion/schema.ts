import { z } from "zod";

export const CustomerImpact = z.object({
  blocked_by: z.array(z.object({ type: z.string(), amount: z.int(), attribute: z.string() })),
  deletes: z.array(z.object({ type: z.string(), amount: z.int() })),
}).meta({
  id: "CustomerDeleteImpact",
  example: { blocked_by: [], deletes: [{ type: "case", amount: 2 }, { type: "contact", amount: 1 }] },
});
