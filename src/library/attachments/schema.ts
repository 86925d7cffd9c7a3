/** Wire shapes of attachments. */
import { z } from "zod";
import { describePage, paging } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { uuid } from "../../http/zod.ts";
import { FileWithToken } from "../schema.ts";

/** The most files of one call. */
const mostFiles = 100;

export const AttachedFile = FileWithToken.extend({
  attached_by: z.int().meta({ example: 7, description: "The user who attached it." }),
  attached_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "AttachedFile", extends: FileWithToken });

export const AttachedFilePage = describePage(AttachedFile, "AttachedFilePage");

export const AttachmentsQuery = z.object({
  ...paging,
  per_page: paging.per_page.meta({ description: "1 to 100; 50 when absent.", example: 50 }),
});

export const AttachmentsBody = z.object({
  file_ids: z.array(uuid).refine(
    (ids) => ids.length <= mostFiles,
    refusal("max", `At most ${mostFiles} files.`),
  ).meta({
    description: `At most ${mostFiles}.`,
    example: ["01939c5e-7d3a-7c3f-8a55-0a4be5a1a001"],
  }),
}).meta({ id: "AttachmentsBody", example: { file_ids: ["01939c5e-7d3a-7c3f-8a55-0a4be5a1a001"] } });

export type AttachmentsQuery = z.output<typeof AttachmentsQuery>;
