/** Wire shapes of kept reports. */
import { z } from "@hono/zod-openapi";
import { failureSchema } from "../failures.ts";
import { deliveryFailures } from "./failures.ts";

const uuid = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001";

export const ReportDelivery = z.object({
  id: z.string().openapi({ example: uuid }),
  scheduled_report: z.object({
    id: z.string().openapi({ example: uuid }),
    name: z.string().openapi({ example: "Sales of the week" }),
  }).nullable().openapi({ description: "As it was named then; null when a user sent the figures." }),
  start_at: z.string().openapi({ example: "2026-01-04 23:00:00" }),
  end_at: z.string().openapi({ example: "2026-01-11 23:00:00" }),
  data: z.record(z.string(), z.unknown()).openapi({
    description:
      "The figures as they were. Of a scheduled report: `totals` (`{indicator, value}`) and `users` " +
      "(`{indicator, value, user_id, user_name}`).",
    example: { totals: [{ indicator: "cases.closed", value: 12 }], users: [] },
  }),
  file_id: z.string().nullable().openapi({
    description: "The PDF; null when none could be made, or it was deleted.",
    example: uuid,
  }),
  error: failureSchema(deliveryFailures, "file_quota").openapi({
    description: "Why it came without a PDF; null otherwise.",
    example: null,
  }),
  created_at: z.string().openapi({ example: "2026-01-12 05:00:00" }),
}).openapi("ReportDelivery", { description: "A report as it was delivered." });
