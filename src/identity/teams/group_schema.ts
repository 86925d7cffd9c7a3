import { z } from "zod";

/** A group in lists and as part of its teams. */
export const GroupSummary = z.object({
  id: z.int(),
  name: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
}).meta({
  id: "GroupSummary",
  example: { id: 3, name: "North", created_at: "2026-01-31 10:00:00", updated_at: "2026-01-31 10:00:00" },
});
