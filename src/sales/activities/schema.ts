/** Wire shapes of activities. */
import { z } from "zod";
import { amounts, counts } from "../../core/budgets.ts";
import { html, integerIdOrNone, lineText, makeBackdatedTime, optional, text, uuid } from "../../http/zod.ts";
import { describePage, paging, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { Activity, channels } from "../case_parts/schema.ts";
import { PlannedTask } from "../tasks/record.ts";

const longText = text(65_535);

const ProductBody = z.object({
  id: uuid,
  quantity: optional(z.number().min(0).max(amounts.quantity)),
  price: optional(z.number()).meta({
    description: `By default the list price. Times the quantity at most ${amounts.line}.`,
  }),
  discount: optional(z.number()).meta({
    description: "An amount for the whole line, from 0 to quantity times price.",
    minimum: 0,
  }),
  comment: optional(longText),
});

const activity = z.object({
  activity_type_ids: optional(
    z.array(uuid).min(1, "At least one activity type.").max(100)
      .refine((ids) => new Set(ids).size === ids.length, refusal("unique", "Lists an activity type twice.")),
  ).meta({ description: "Milestones and supportive activities of the case's relations path." }),
  milestone_id: optional(uuid).meta({
    description: "A milestone of the case's relations path, in place of `activity_type_ids`.",
  }),
  communication_channel: optional(z.enum(channels)),
  extra_step_ids: optional(z.array(uuid).max(100)),
  note: optional(html(longText)),
  correspondence: optional(z.object({
    email: optional(z.object({
      subject: optional(lineText(255)),
      content: optional(html(longText)),
      template_id: integerIdOrNone,
      file_ids: optional(z.array(uuid).max(20)).meta({
        description: "Files to send with it, which the caller may read; 10 MiB in all.",
      }),
      send: optional(z.boolean()).meta({
        description:
          "Sends the e-mail to the contact of the case; replies go to the caller. Requires subject and content, unless its template is a whole text.",
      }),
    })),
    letter: optional(z.object({ content: optional(html(longText)), template_id: integerIdOrNone })),
  })),
  product_details: optional(
    z.array(z.object({ products: z.array(ProductBody).min(1).max(counts.products) })).max(100)
      .refine(
        (details) => details.reduce((sum, { products }) => sum + products.length, 0) <= counts.products,
        refusal("max", `At most ${counts.products} products in an activity.`),
      ),
  ).meta({ description: `At most ${counts.products} products in all details.` }),
  task: optional(PlannedTask).meta({ description: "A task that the activity plans." }),
  completed_task_id: optional(uuid).meta({
    description: "An open task of the case, which the activity completes.",
  }),
  created_at: makeBackdatedTime("activity"),
});

export const CreateActivityBody = activity.superRefine((given, ctx) => {
  const refuse = (path: string, code: string, message: string) =>
    ctx.addIssue({ code: "custom", message, params: { code }, path: [path] });
  const { activity_type_ids: types, milestone_id: milestone } = given;
  if (types && milestone) refuse("milestone_id", "excluded", "Not allowed together with activity_type_ids.");
  if (!types && !milestone) refuse("activity_type_ids", "required", "Is required, or milestone_id.");
}).transform(({ milestone_id, ...given }) => ({
  ...given,
  activity_type_ids: given.activity_type_ids ?? (milestone_id ? [milestone_id] : []),
  /** Whether the only type is a milestone that the body names as one. */
  isMove: Boolean(milestone_id),
})).meta({
  id: "ActivityCreate",
  example: { activity_type_ids: ["01939c5e-7d3a-7c3f-8a55-0a4be5a1a001"], communication_channel: "phone" },
});
export type CreateActivityBody = z.output<typeof CreateActivityBody>;

export const activitySorts = { created_at: "created_at" };
export const ActivityListQuery = z.object({ ...paging, ...sorting(activitySorts) });
export const ActivityPage = describePage(Activity, "ActivityPage");
