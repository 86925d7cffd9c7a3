/** The parts of a campaign: its message, its task, its template. */
import { z } from "zod";
import {
  filledLine,
  html,
  integerId,
  lineText,
  longText,
  optional,
  orShown,
  timestamp,
  uuid,
} from "../../http/zod.ts";
import { messageTypes } from "../message_type.ts";
import { mostContent } from "../templates/content.ts";

export const strategies = ["distribute", "responsible_user"] as const;

/** The most users of a distribution. */
const mostUsers = 200;

export const CampaignTaskBody = z.object({
  distribution_strategy: z.enum(strategies).meta({
    description: "`distribute`: evenly among `distribute_users`; `responsible_user`: to the contact's user.",
    example: "distribute",
  }),
  distribute_users: optional(z.array(orShown("id", integerId)).max(mostUsers)).meta({
    description: "Required to distribute. They must see the cases of the campaign's team.",
    example: [3],
  }),
  relations_path: orShown("id", uuid).meta({
    description: "The relations path of the cases.",
  }),
  start_at: timestamp.meta({
    description: "After `send_at`.",
    example: "2026-02-02 09:00:00",
  }),
  end_at: timestamp.meta({
    description: "After `start_at`.",
    example: "2026-02-02 17:00:00",
  }),
}).meta({ id: "CampaignTaskBody", description: "The call that each recipient's case gets." });

export const MessageBody = z.object({
  subject: optional(lineText(255)).meta({ example: "Spring offers" }),
  content: optional(html(longText(1, mostContent))).meta({
    description: "HTML with Mustache placeholders, see `GET /v1/templates/placeholders`.",
    example: "<p>Dear {{contact.first_name}},</p>",
  }),
  sender: optional(filledLine(255)).meta({
    description: "The sender's name. The address is that of the campaign domain; answers go to the user.",
    example: "Ada from Example Cars",
  }),
}).meta({ id: "CampaignMessageBody" });

export const ShownUser = z.object({
  id: z.int().meta({ example: 3 }),
  name: z.string().meta({ example: "Ada Byron" }),
});

export const at = z.string().meta({ example: "2026-01-31 10:00:00" });

export const ListedMessage = z.object({
  subject: z.string().nullable().meta({ example: "Spring offers" }),
  sender: z.string().nullable().meta({ example: "Ada" }),
});

export const WholeMessage = z.object({
  subject: z.string().nullable().meta({ example: "Spring offers" }),
  content: z.string().nullable().meta({
    example: "<p>Dear {{contact.first_name}},</p>",
  }),
  sender: z.string().nullable().meta({ example: "Ada" }),
});

export const ShownTemplate = z.object({
  id: z.int().meta({ example: 7 }),
  type: z.enum(messageTypes).meta({ example: "email" }),
  company_id: z.int().meta({ example: 1 }),
  title: z.string().meta({ example: "Offer" }),
  user_id: z.int().meta({ example: 3 }),
});

export const ShownTask = z.object({
  distribution_strategy: z.enum(strategies),
  distribute_users: z.array(ShownUser),
  relations_path: z.uuid().nullable().meta({
    example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a00d",
  }),
  start_at: at,
  end_at: at,
});

export type CampaignTaskBody = z.output<typeof CampaignTaskBody>;
export type CampaignMessageBody = z.output<typeof MessageBody>;
