/** Wire shapes of campaigns. */
import { z } from "zod";
import { orShownAs } from "../../http/as_shown.ts";
import { example as filterExample, Nodes } from "../../filters/schema.ts";
import { pageOfSchema, paging, search, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import {
  csv,
  csvIntegers,
  email,
  filledLine,
  flag,
  html,
  integerId,
  integerIdOrNone,
  lineText,
  longText,
  optional,
  orShown,
  text,
  timestamp,
  uuid,
} from "../../http/zod.ts";
import { isOwnedOnce } from "../../identity/owners.ts";
import { mostContent } from "../templates/content.ts";
import { messageTypes } from "../message_type.ts";
import { campaignMessageStatuses, campaignStatuses, campaignTypes } from "./table.ts";

export const campaignSorts = { created_at: "created_at" };

const types = csv.refine(
  (values) => values.every((value) => (campaignTypes as readonly string[]).includes(value)),
  refusal("enum", `Must be a list of ${campaignTypes.join(", ")}.`),
).meta({ example: "email,letter" });

export const CampaignListQuery = z.object({
  status: z.enum(campaignStatuses).optional().meta({
    description: "`draft`: not approved; `pending`: approved and not sent yet; `sent`.",
    example: "pending",
  }),
  types: types.optional(),
  type: types.optional().meta({ description: "As `types`." }),
  teams: csvIntegers.optional(),
  ...paging,
  ...search,
  ...sorting(campaignSorts),
});

export const strategies = ["distribute", "responsible_user"] as const;

/** The most users of a distribution. */
const mostUsers = 200;

const CampaignTaskBody = z.object({
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

const MessageBody = z.object({
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

const members = {
  description: optional(text(2000)).meta({ example: null }),
  message: optional(MessageBody).meta({
    description: "A draft needs all of it; an e-mail too, a letter needs `content`.",
  }),
  filter: Nodes.optional().meta({
    description: "Selects the recipients; an empty list selects all contacts. Required when approved.",
  }),
  template_id: integerIdOrNone.meta({
    description: "The template around the message, of the campaign's type; 0: none.",
    example: null,
  }),
  send_at: optional(timestamp).meta({
    description: "In the future. Required when approved, except with `execute_now`.",
    example: "2026-02-01 09:00:00",
  }),
  task: optional(CampaignTaskBody).meta({
    description: "Required for calls by telephone.",
  }),
  team_id: optional(integerId).meta({
    description: "The owning team; default: the active team, else the company. Null: the company.",
  }),
  group_id: optional(integerId).meta({
    description: "The owning group.",
    example: null,
  }),
};

const ownedOnce = {
  ...refusal(
    "excluded",
    "A campaign belongs to a team or a group, not to both.",
  ),
  path: ["group_id"],
};

const example = {
  name: "Spring",
  type: "email" as const,
  approved: false,
  message: {
    subject: "Spring offers",
    content: "<p>Dear {{contact.first_name}},</p>",
    sender: "Ada",
  },
  filter: [],
};

const bodyOf = z.object({
  name: filledLine(255).meta({ example: "Spring" }),
  type: z.enum(campaignTypes).meta({ example: "email" }),
  approved: flag(true).meta({
    description: "An approved campaign is sent at its time; requires the right `campaigns.send`.",
  }),
  execute_now: flag(false).meta({
    description: "Whether an approved campaign is sent now.",
  }),
  ...members,
});

export const CampaignBody = bodyOf.refine(isOwnedOnce, ownedOnce).meta({ id: "CampaignBody", example });

export const CampaignChange = orShownAs(
  z.object({
    name: filledLine(255).optional().meta({ example: "Spring" }),
    type: z.enum(campaignTypes).optional().meta({
      description: "Never changes.",
      example: "email",
    }),
    approved: optional(z.boolean()),
    ...members,
  }),
  { template_id: ["template", integerId] },
).refine(isOwnedOnce, ownedOnce).meta({
  id: "CampaignChange",
  description: "An absent member keeps its value; so does an absent member of `message`.",
  example: { name: "Early spring" },
});

export type CampaignBody = z.output<typeof CampaignBody>;
export type CampaignChange = z.output<typeof CampaignChange>;
export type CampaignListQuery = z.output<typeof CampaignListQuery>;
export type CampaignTaskBody = z.output<typeof CampaignTaskBody>;
export type CampaignMessageBody = z.output<typeof MessageBody>;

const Person = z.object({
  id: z.int().meta({ example: 3 }),
  name: z.string().meta({ example: "Ada Byron" }),
});

const at = z.string().meta({ example: "2026-01-31 10:00:00" });

const ListedMessage = z.object({
  subject: z.string().nullable().meta({ example: "Spring offers" }),
  sender: z.string().nullable().meta({ example: "Ada" }),
});

const FullMessage = z.object({
  subject: z.string().nullable().meta({ example: "Spring offers" }),
  content: z.string().nullable().meta({
    example: "<p>Dear {{contact.first_name}},</p>",
  }),
  sender: z.string().nullable().meta({ example: "Ada" }),
});

export const Campaign = z.object({
  id: z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a00c" }),
  user: Person,
  team_id: z.int().nullable(),
  group_id: z.int().nullable(),
  scope: z.enum(["global", "group", "team"]).meta({ example: "global" }),
  name: z.string().meta({ example: "Spring" }),
  approved: z.boolean(),
  status: z.enum(campaignStatuses).meta({ example: "draft" }),
  stopped_reason: z.string().nullable().meta({
    description: "Why it waits for approval again, or was stopped while it was sent. Null after an approval.",
    example: null,
  }),
  description: z.string().nullable(),
  type: z.enum(campaignTypes).meta({ example: "email" }),
  message: ListedMessage,
  template: z.object({
    id: z.int().meta({ example: 7 }),
    type: z.enum(messageTypes).meta({ example: "email" }),
    company_id: z.int().meta({ example: 1 }),
    title: z.string().meta({ example: "Offer" }),
    user_id: z.int().meta({ example: 3 }),
  }).nullable(),
  filter: z.array(z.unknown().meta({ type: "object" })).nullable().meta({
    example: filterExample,
  }),
  sent_at: at.nullable(),
  total_sent: z.int().meta({
    description: "Messages sent, letters made or tasks created.",
    example: 0,
  }),
  send_at: at.nullable(),
  task: z.object({
    distribution_strategy: z.enum(strategies),
    distribute_users: z.array(Person),
    relations_path: z.uuid().nullable().meta({
      example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a00d",
    }),
    start_at: at,
    end_at: at,
  }).nullable(),
  created_at: at,
  updated_at: at,
}).meta({
  id: "Campaign",
  description:
    "A message to many contacts. Visible to its team, to teams in a group with it, and to admins; " +
    "without a team and group, to the whole company.",
});

export const FullCampaign = Campaign.extend({
  message: FullMessage,
  unshown_characters: z.array(z.string()).meta({
    description: "Characters of a letter's text that the fonts lack. They are left out of the PDF.",
    example: [],
  }),
}).meta({
  id: "FullCampaign",
  extends: Campaign,
});

export const CampaignPage = pageOfSchema(Campaign, "CampaignPage");

export const Recipients = z.object({
  count: z.int().meta({ description: "Recipients, if the campaign was sent now.", example: 120 }),
  excluded: z.object({
    consent: z.int().meta({ description: "Contacts without consent.", example: 4 }),
    without_address: z.int().meta({
      description: "Of the others, contacts without an e-mail address, address or phone number.",
      example: 2,
    }),
    bounced: z.int().meta({
      description: "Of the others, contacts whose e-mail address a mail server has refused permanently.",
      example: 1,
    }),
    duplicate: z.int().meta({
      description: "Of the others, contacts with the e-mail address of an older one.",
      example: 1,
    }),
  }),
}).meta({
  id: "CampaignRecipients",
  description:
    "The contacts that the filter selects and that the caller and the campaign's user and owner see.",
});

export const messageSorts = { id: "id" };

export const CampaignMessageQuery = z.object({
  status: z.enum(campaignMessageStatuses).optional().meta({ example: "failed" }),
  ...paging,
});

export type CampaignMessageQuery = z.output<typeof CampaignMessageQuery>;

export const CampaignMessage = z.object({
  id: z.int().meta({ example: 71 }),
  campaign_id: z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a00c" }),
  contact_id: z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a003" }),
  status: z.enum(campaignMessageStatuses).meta({ example: "sent" }),
  subject: z.string().nullable().meta({ example: "Spring offers" }),
  email: z.string().nullable().meta({ example: "ada@example.org" }),
  sent_at: at.nullable(),
  error: z.string().nullable().meta({
    description:
      "Why it failed, is delayed, or what was left out; or why it was skipped: `no_consent`, `bounced`, `stopped`.",
    example: null,
  }),
  opened_at: at.nullable(),
  created_at: at,
  updated_at: at,
}).meta({ id: "CampaignMessage" });

export const FullCampaignMessage = CampaignMessage.extend({
  content: z.string().nullable().meta({
    description: "The content as it was sent; null before, and once the contact is deleted.",
    example: "<p>Dear Ada,</p>",
  }),
}).meta({ id: "FullCampaignMessage", extends: CampaignMessage });

export const CampaignMessagePage = pageOfSchema(CampaignMessage, "CampaignMessagePage");

export const TestEmailBody = z.object({ email }).meta({
  id: "TestEmailBody",
  example: { email: "ada@example.org" },
});

export const TestEmail = z.object({ email: z.string().meta({ example: "ada@example.org" }) })
  .meta({ id: "TestEmail" });

const progress = z.object({ done: z.int().meta({ example: 3 }), total: z.int().meta({ example: 3 }) })
  .meta({
    id: "LetterProgress",
    description: "The numbers of letters that are made, failed or skipped, and of all.",
  });

export const CampaignLetters = z.object({
  url: z.string().meta({
    description: "A ZIP of PDFs; works for 5 minutes.",
    example: "https://crm.example.org/campaigns/letters/AZOcXn06fD-KVQpL5aGgAQ",
  }),
  progress,
}).meta({ id: "CampaignLetters" });

export const CampaignLettersWaiting = z.object({
  url: z.null(),
  progress,
}).meta({ id: "CampaignLettersWaiting" });
