/** Wire shapes of activities. */
import { z } from "@hono/zod-openapi";
import { counts } from "../../core/budgets.ts";
import { backdated, filledText, integerId, optional, text, uuid } from "../../http/zod.ts";
import { pageOfSchema, paging, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { UserSummary } from "../../customers/accounts/schema.ts";
import { Task, TaskBody } from "../tasks/schema.ts";

const channels = ["email", "phone", "letter", "meeting", "chat", "other"] as const;
const longText = text(65_535);

const ProductBody = z.object({
  id: uuid,
  quantity: optional(z.number().min(0)),
  price: optional(z.number()),
  discount: optional(z.number()),
  comment: optional(longText),
});

export const CreateActivityBody = z.object({
  activity_type_ids: z.array(uuid).min(1, "At least one activity type.").max(100)
    .refine((ids) => new Set(ids).size === ids.length, refusal("unique", "Lists an activity type twice."))
    .openapi({ description: "Milestones and supportive activities of the case's relations path." }),
  communication_channel: optional(z.enum(channels)),
  extra_step_ids: optional(z.array(uuid).max(100)),
  note: optional(longText),
  correspondence: optional(z.object({
    email: optional(z.object({
      subject: optional(text(255)),
      content: optional(longText),
      template_id: optional(integerId),
      send: optional(z.boolean()).openapi({
        description:
          "Sends the e-mail to the contact of the case; replies go to the caller. Requires subject and content.",
      }),
    })),
    letter: optional(z.object({ content: optional(longText), template_id: optional(integerId) })),
  })),
  product_details: optional(
    z.array(z.object({ products: z.array(ProductBody).min(1).max(counts.products) })).max(100)
      .refine(
        (details) => details.reduce((sum, { products }) => sum + products.length, 0) <= counts.products,
        refusal("max", `At most ${counts.products} products in an activity.`),
      ),
  ).openapi({ description: `At most ${counts.products} products in all details.` }),
  task: optional(TaskBody).openapi({ description: "A task that the activity plans." }),
  completed_task_id: optional(uuid).openapi({
    description: "An open task of the case, which the activity completes.",
  }),
  created_at: backdated("activity"),
}).openapi("ActivityCreate", {
  example: { activity_type_ids: ["01939c5e-7d3a-7c3f-8a55-0a4be5a1a001"], communication_channel: "phone" },
});
export type CreateActivityBody = z.output<typeof CreateActivityBody>;

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
}).openapi("ProductDetail");

export const ProductDetails = z.array(ProductDetail);

export const Activity = z.object({
  id: z.uuid(),
  case_id: z.uuid(),
  activity_types: z.array(z.object({
    id: z.uuid(),
    name: filledText(255),
    description: z.string().nullable(),
    is_milestone: z.boolean(),
  })).openapi({ description: "As they were when the activity was created, the highest milestone first." }),
  communication_channel: z.enum(channels).nullable(),
  extra_steps: z.array(z.object({ id: z.uuid(), name: z.string() })),
  note: z.string().nullable(),
  correspondence: z.object({
    email: z.object({
      subject: z.string().nullable(),
      content: z.string().nullable(),
      template_id: z.int().nullable(),
      send: z.boolean(),
    }).nullable(),
    letter: z.object({ content: z.string().nullable(), template_id: z.int().nullable() }).nullable(),
  }),
  product_detail: ProductDetail.nullable(),
  product_details: ProductDetails,
  /** The task that the activity planned. */
  task: Task.nullable(),
  completed_task_id: z.uuid().nullable(),
  user: UserSummary.nullable(),
  created_at: z.string(),
  updated_at: z.string(),
}).openapi("Activity", { description: "A step of work on a case." });

export const activitySorts = { created_at: "created_at" };
export const ActivityListQuery = z.object({ ...paging, ...sorting(activitySorts) });
export const ActivityPage = pageOfSchema(Activity, "ActivityPage");
