/** Wire shape of the counts. */
import { z } from "zod";

export const Counts = z.object({
  tasks: z.object({
    overdue: z.int(),
    today: z.int().meta({ description: "Those that end later today." }),
    week: z.int().meta({ description: "Those that end in the seven days after today." }),
  }).meta({ description: "The caller's own open tasks, by the days of the caller's time zone." }),
  leads: z.object({
    waiting: z.int().meta({ description: "Leads that the caller may accept." }),
    mine: z.int().meta({ description: "Leads assigned to the caller." }),
    team: z.int().meta({ description: "Leads of the caller's teams that nobody has accepted." }),
    next_escalates_at: z.string().nullable().meta({
      description: "The soonest end of a countdown of those that wait.",
      example: "2026-01-31 10:00:00",
    }),
  }),
  agency: z.object({
    assignable: z.int(),
    rejected: z.int(),
    escalated: z.int(),
    called: z.int(),
    revoked: z.int(),
  }).nullable().meta({ description: "The totals of the agency's lists; null without the right `agency`." }),
  cases: z.object({ open: z.int() }),
  notifications: z.object({ unread: z.int() }),
}).meta({ id: "Counts", description: "Numbers of what waits for the caller." });
