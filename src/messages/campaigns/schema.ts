/** Wire shapes of the lists of campaigns, of recipients, messages and letters. */
import { z } from "zod";
import { describePage, paging, search, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { csv, csvIntegers, email } from "../../http/zod.ts";
import { Campaign, campaignStatuses, campaignTypes } from "./record.ts";
import { campaignMessageStatuses } from "./table.ts";

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

export type CampaignListQuery = z.output<typeof CampaignListQuery>;

const at = z.string().meta({ example: "2026-01-31 10:00:00" });

export const CampaignPage = describePage(Campaign, "CampaignPage");

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

export const CampaignMessagePage = describePage(CampaignMessage, "CampaignMessagePage");

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
