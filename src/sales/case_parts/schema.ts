/** Wire shapes of the records that a case shows. */
import { z } from "zod";
import { filledLine } from "../../http/zod.ts";
import { UserSummary } from "../../identity/users/user_summary.ts";
import { CaseTask } from "../tasks/record.ts";

export const channels = ["email", "phone", "letter", "meeting", "chat", "other"] as const;

const ProductDetail = z.object({
  id: z.uuid(),
  products: z.array(z.object({
    id: z.uuid(),
    name: z.string().nullable(),
    quantity: z.number().nullable(),
    type: z.string().nullable(),
    price: z.number().nullable(),
    discount: z.number().nullable(),
    comment: z.string().nullable(),
  })),
  created_at: z.string(),
  updated_at: z.string(),
}).meta({ id: "ProductDetail" });

export const ProductDetails = z.array(ProductDetail);

export const Activity = z.object({
  id: z.uuid(),
  case_id: z.uuid(),
  activity_types: z.array(z.object({
    id: z.uuid(),
    name: filledLine(255),
    description: z.string().nullable(),
    is_milestone: z.boolean(),
  })).meta({ description: "As they were when the activity was created, the highest milestone first." }),
  communication_channel: z.enum(channels).nullable(),
  extra_steps: z.array(z.object({ id: z.uuid(), name: z.string() })),
  note: z.string().nullable(),
  correspondence: z.object({
    email: z.object({
      id: z.uuid(),
      subject: z.string().nullable(),
      content: z.string().nullable(),
      template_id: z.int().nullable(),
      file_ids: z.array(z.uuid()),
      send: z.boolean(),
    }).nullable(),
    letter: z.object({ id: z.uuid(), content: z.string().nullable(), template_id: z.int().nullable() })
      .nullable(),
  }),
  product_detail: ProductDetail.nullable(),
  product_details: ProductDetails,
  /** The task that the activity planned. */
  task: CaseTask.nullable(),
  completed_task_id: z.uuid().nullable(),
  user: UserSummary.nullable(),
  created_at: z.string(),
  updated_at: z.string(),
}).meta({ id: "Activity", description: "A step of work on a case." });

export const lineTypes = ["string", "heading", "list", "table"] as const;

/** A line of the data of a lead. */
export const LeadDataLine = z.object({
  key: z.string(),
  value: z.union([z.string(), z.array(z.string()), z.array(z.array(z.string()))]),
  type: z.enum(lineTypes),
}).meta({ id: "LeadDataLine", example: { key: "Model", value: "Estate, <b>blue</b>", type: "string" } });
export type LeadDataLine = {
  key: string;
  value: string | string[] | string[][];
  type: (typeof lineTypes)[number];
};
