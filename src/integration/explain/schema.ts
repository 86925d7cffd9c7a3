/** Wire shapes of explanations. */
import { z } from "zod";
import { leadStatuses } from "../../sales/leads/lifecycle.ts";
import { countdownRules, moveNames } from "../../sales/leads/moves.ts";

const Move = z.object({
  move: z.enum(moveNames),
  from: z.enum(leadStatuses).nullable().meta({ description: "Null for the first." }),
  to: z.enum(leadStatuses),
  at: z.string().meta({ description: "When it happened.", example: "2026-01-31 10:00:00" }),
  by: z.object({
    type: z.enum(["user", "timer", "unknown"]),
    id: z.int().nullable(),
    name: z.string().nullable(),
  }).meta({ description: "Who did it; `unknown` for what an earlier version recorded." }),
  team: z.object({ id: z.int(), name: z.string().nullable() }).nullable(),
  reason: z.string().nullable().meta({
    description:
      "That of a rejection, or the countdown that ran out: `escalation_accept`, `escalation_activity`.",
  }),
}).meta({ id: "LeadMove" });

export const LeadExplanation = z.object({
  lead_id: z.uuid(),
  status: z.enum(leadStatuses),
  moves: z.array(Move).meta({ description: "In the order recorded." }),
  next: z.object({
    move: z.enum(["escalated", "revoked", "expired"]),
    at: z.string().meta({ example: "2026-01-31 10:00:00" }),
    rule: z.enum([...countdownRules, "call", "expires_at"]),
    why: z.string().meta({ example: "Its lead type lets it escalate if nobody has accepted it by then." }),
  }).nullable().meta({ description: "What happens next by itself; null: nothing." }),
}).meta({ id: "LeadExplanation" });
