/** Wire shapes of kept reports. */
import { z } from "zod";
import { failureSchema } from "../failures.ts";
import { deliveryFailures } from "./failures.ts";

const uuid = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001";

export const ReportDelivery = z.object({
  id: z.string().meta({ example: uuid }),
  scheduled_report: z.object({
    id: z.string().meta({ example: uuid }),
    name: z.string().meta({ example: "Sales of the week" }),
  }).nullable().meta({ description: "As it was named then; null when a user sent the figures." }),
  start_at: z.string().meta({ example: "2026-01-04 23:00:00" }),
  end_at: z.string().meta({ example: "2026-01-11 23:00:00" }),
  data: z.record(z.string(), z.unknown()).meta({
    description:
      "The figures as they were. Of a scheduled report: `totals` (`{indicator, value}`) and `users` " +
      "(`{indicator, value, user_id, user_name}`).",
    example: { totals: [{ indicator: "cases.closed", value: 12 }], users: [] },
  }),
  file_id: z.string().nullable().meta({
    description: "The PDF; null when none could be made, or it was deleted.",
    example: uuid,
  }),
  error: failureSchema(deliveryFailures, "file_quota").meta({
    description: "Why it came without a PDF; null otherwise.",
    example: null,
  }),
  created_at: z.string().meta({ example: "2026-01-12 05:00:00" }),
}).meta({ id: "ReportDelivery", description: "A report as it was delivered." });
