import { z } from "zod";
import { filledLine } from "../../http/zod.ts";
import { describePage, paging } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { example, Nodes } from "../../filters/schema.ts";

export const SavedFilterBody = z.object({ name: filledLine(255), filter: Nodes })
  .meta({
    id: "SavedFilterBody",
    required: ["name", "filter"],
    example: { name: "Spring", filter: example },
  });

export const SavedFilterChange = z.object({
  name: filledLine(255).nullish()
    .refine((name) => name !== null, refusal("required", "Must have a value."))
    .transform((name) => name ?? undefined),
  filter: Nodes.optional(),
}).meta({ id: "SavedFilterChange", example: { name: "Summer" } });

const entry = {
  id: z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a00f" }),
  name: z.string().meta({ example: "Spring" }),
};
const stamps = {
  stopped_reason: z.string().nullable().meta({
    description:
      "Why the filter no longer runs: something that it names was removed. Another filter clears it.",
    example: null,
  }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
};

export const SavedFilter = z.object({
  ...entry,
  filter: z.array(z.unknown().meta({ type: "object" })).meta({ example }),
  ...stamps,
})
  .meta({ id: "SavedFilter", description: "A named filter, stored as it was given." });

export const SavedFilterEntry = z.object({ ...entry, ...stamps }).meta({ id: "SavedFilterEntry" });

export const SavedFilterPage = describePage(SavedFilterEntry, "SavedFilterPage");

export const SavedFilterQuery = z.object({ ...paging });
