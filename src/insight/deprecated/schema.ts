/** Wire shapes of the deprecated reports. */
import { z } from "zod";
import { parseDate, parseTimestamp } from "../../core/time.ts";
import { paging } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { csvIntegers, csvUuids, filledText, integerId } from "../../http/zod.ts";

/** A day, or a moment of it (UTC). */
const day = z.string().refine(
  (text) => parseDate(text) !== null || parseTimestamp(text) !== null,
  refusal("format", "Must be a date that exists, like 2026-01-31, or a timestamp."),
);

const chosen = {
  start_date: day.optional().meta({
    description: "A day by the company's calendar.",
    example: "2026-01-01",
  }),
  end_date: day.optional().meta({ description: "A later day.", example: "2026-02-01" }),
  users: csvIntegers.optional(),
  teams: csvIntegers.optional(),
  categories: csvIntegers.optional().meta({
    description: "Of products; of one of these or of `products`.",
  }),
  products: csvUuids.optional(),
};

export const PipelineQuery = z.object({
  ...chosen,
  start_date: chosen.start_date.meta({ description: "Only cases created on this day or later." }),
  end_date: chosen.end_date.meta({ description: "Only cases created on this day or earlier." }),
});
export type PipelineQuery = z.output<typeof PipelineQuery>;

export const PerformanceQuery = z.object({
  ...chosen,
  start_date: chosen.start_date.meta({ description: "Default: a month ago." }),
  end_date: chosen.end_date.meta({ description: "Default: in a month." }),
  relations_path_id: csvUuids.optional(),
  lead_type_id: csvUuids.optional(),
});
export type PerformanceQuery = z.output<typeof PerformanceQuery>;

export const MilestoneCasesQuery = z.object(paging);

const value = z.int().meta({ description: "The number of open cases.", example: 12 });
const sum = z.number().meta({ description: "The value of their offers.", example: 340000 });
const id = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001";

export const Pipeline = z.object({
  data: z.array(z.object({
    id: z.string().meta({ example: id }),
    name: z.string().nullable().meta({ example: "New cars" }),
    value,
    sum,
  })),
}).meta({ id: "Pipeline" });

export const MilestonePipeline = z.object({
  data: z.array(z.object({
    id: z.string().nullable().meta({ description: "Null: cases without a milestone.", example: id }),
    name: z.string().nullable().meta({ example: "Offer" }),
    chance_of_success: z.int().nullable().meta({ example: 60 }),
    value,
    sum,
  })),
}).meta({ id: "MilestonePipeline" });

const days = z.array(z.object({
  date: z.string().meta({ example: "2026-01-31" }),
  value: z.number().meta({ example: 34000 }),
}));

export const Performance = z.object({
  past: days.meta({ description: "Cases closed on each day: their value, or their number." }),
  future: days.meta({
    description: "Open cases by estimated close date: their weighted value, or their number.",
  }),
}).meta({
  id: "Performance",
  description:
    "Values where the company's products are in the mode `advanced`, numbers in the mode `simple`.",
});

const ids = z.array(integerId).refine((list) => list.length <= 1_000, refusal("max", "At most 1000 values."));

export const NotifyBody = z.object({
  notify: z.object({
    users: ids.optional().meta({ example: [3] }),
    teams: ids.optional().meta({ example: [2] }),
  }).refine(
    ({ users = [], teams = [] }) => users.length + teams.length > 0,
    refusal("required", "Names users or teams."),
  ),
  message: filledText(65_535).meta({ example: "Have a look at this." }),
}).meta({ id: "PerformanceNotify", example: { notify: { users: [3] }, message: "Have a look at this." } });
export type NotifyBody = z.output<typeof NotifyBody>;

export const PdfAddress = z.object({
  url: z.string().meta({
    description: "Works for five minutes, without a token.",
    example: "https://crm.example/previews/…",
  }),
}).meta({ id: "PerformancePdf" });
