/** The campaign, described once. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { declareFilter } from "../../customers/fields/stored_filter.ts";
import { describeOwnerReferences, ofGroup, ofTeam } from "../../identity/owner_references.ts";
import { block, clearAtOnce, declareReferences, type Deleted, leaveTo, stop } from "../../db/references.ts";
import { sql as statement } from "../../db/statements.ts";
import { example as filterExample, Nodes } from "../../filters/schema.ts";
import { orShownAs } from "../../http/as_shown.ts";
import { refusal } from "../../http/validate.ts";
import { flag, integerId, integerIdOrNone, optional, text as textSchema, timestamp } from "../../http/zod.ts";
import { describeOwnerMembers } from "../../identity/owner_members.ts";
import { companies } from "../../identity/companies/table.ts";
import { isOwnedOnce } from "../../identity/owners.ts";
import {
  computed,
  internal,
  readOnly,
  requiredLine,
  stamps,
  versioned,
  writeOnly,
} from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members, presenter } from "../../records/members.ts";
import {
  at,
  CampaignTaskBody,
  ListedMessage,
  MessageBody,
  ShownTask,
  ShownTemplate,
  ShownUser,
  WholeMessage,
} from "./parts.ts";

export const campaignTypes = ["email", "letter", "telephone"] as const;
export const campaignStatuses = ["draft", "pending", "sent"] as const;

const ownedOnce = {
  ...refusal(
    "excluded",
    "A campaign belongs to a team or a group, not to both.",
  ),
  path: ["group_id"],
};

const description = optional(textSchema(2000)).meta({ example: null });

const template = integerIdOrNone.meta({
  description: "The template around the message, of the campaign's type; 0: none.",
  example: null,
});

const sendAt = optional(timestamp).meta({
  description: "In the future. Required when approved, except with `execute_now`.",
  example: "2026-02-01 09:00:00",
});

export const campaignMembers = {
  /** The row id that the full-text index uses. */
  seq: internal(integer().primaryKey()),
  id: readOnly(
    text().notNull().unique(),
    z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a00c" }),
  ),
  company_id: internal(integer().notNull().references(() => companies.id)),
  user: computed(ShownUser),
  ...describeOwnerMembers(),
  /** The user who receives the answers. Only contacts that this user sees are recipients. */
  user_id: internal(integer().notNull()),
  scope: computed(z.enum(["global", "group", "team"]).meta({ example: "global" })),
  name: requiredLine(255, { example: "Spring" }),
  /** Whether it is `pending` or `sent`. */
  approved: {
    shown: z.boolean(),
    create: flag(true).meta({
      description: "An approved campaign is sent at its time; requires the right `campaigns.send`.",
    }),
    change: optional(z.boolean()),
  },
  execute_now: {
    create: flag(false).meta({ description: "Whether an approved campaign is sent now." }),
  },
  status: readOnly(
    text({ enum: campaignStatuses }).notNull(),
    z.enum(campaignStatuses).meta({ example: "draft" }),
  ),
  /** Why it became a draft again, or its sending ended, as a sentence; null after an approval. */
  stopped_reason: readOnly(
    text(),
    z.string().nullable().meta({
      description:
        "Why it waits for approval again, or was stopped while it was sent. Null after an approval.",
      example: null,
    }),
  ),
  /** Who approved it; null for a draft. */
  approved_by: internal(integer()),
  /** `recipients` while the recipients are written, then `sending`; null before and after. */
  stage: internal(text({ enum: ["recipients", "sending"] })),
  description: { column: text(), shown: z.string().nullable(), ...writeOnly(description) },
  type: {
    column: text({ enum: campaignTypes }).notNull(),
    shown: z.enum(campaignTypes).meta({ example: "email" }),
    create: z.enum(campaignTypes).meta({ example: "email" }),
    change: z.enum(campaignTypes).optional().meta({ description: "Never changes.", example: "email" }),
    stored: "code",
  },
  message: {
    shown: ListedMessage,
    ...writeOnly(
      optional(MessageBody).meta({
        description: "A draft needs all of it; an e-mail too, a letter needs `content`.",
      }),
    ),
  },
  subject: internal(text()),
  /** Sanitised HTML with placeholders. */
  content: internal(text()),
  sender: internal(text()),
  template: computed(ShownTemplate.nullable()),
  template_id: { column: integer(), ...writeOnly(template) },
  /** JSON: the list of nodes, as it was given; null: not given yet. */
  filter: {
    column: text(),
    shown: z.array(z.unknown().meta({ type: "object" })).nullable().meta({ example: filterExample }),
    ...writeOnly(
      Nodes.optional().meta({
        description: "Selects the recipients; an empty list selects all contacts. Required when approved.",
      }),
    ),
    stored: "code",
  },
  sent_at: readOnly(text(), at.nullable()),
  total_sent: {
    column: integer().notNull().default(0),
    shown: z.int().meta({ description: "Messages sent, letters made or tasks created.", example: 0 }),
    otherwise: 0,
  },
  send_at: { column: text(), shown: at.nullable(), ...writeOnly(sendAt) },
  /** JSON: a `TaskPlan`. */
  task: {
    column: text(),
    shown: ShownTask.nullable(),
    ...writeOnly(
      optional(CampaignTaskBody).meta({ description: "Required for calls by telephone." }),
    ),
    stored: "code",
  },
  /** The relations path of the task. */
  relations_path_id: internal(text()),
  /** The origin of links in its messages, such as `https://crm.example.org`. */
  origin: internal(text()),
  /** JSON: a `Snapshot` of the text and the sender, made when sending begins. */
  snapshot: internal(text()),
  /** Not used any more; the index of the campaigns that are being sent has it. */
  served_at: internal(integer().notNull().default(0)),
  ...stamps(),
  ...versioned,
} satisfies Members;

export const campaigns = sqliteTable("campaigns", columns(campaignMembers), (table) => [
  index("campaigns_by_created").on(
    table.company_id,
    table.created_at,
    table.id,
  ),
  index("campaigns_by_owner").on(
    table.company_id,
    table.owner,
    table.created_at,
    table.id,
  ),
  index("campaigns_by_reader").on(table.company_id, table.reader, table.created_at, table.id),
  index("campaigns_by_status").on(
    table.company_id,
    table.status,
    table.created_at,
    table.id,
  ),
  index("campaigns_due").on(table.send_at).where(
    sql`${table.status} = 'pending' and ${table.stage} is null`,
  ),
  index("campaigns_sending").on(table.served_at).where(
    sql`${table.stage} = 'sending'`,
  ),
  index("campaigns_by_user").on(table.company_id, table.user_id),
  index("campaigns_by_template").on(table.company_id, table.template_id).where(
    sql`${table.template_id} is not null`,
  ),
  index("campaigns_by_path").on(table.relations_path_id).where(
    sql`${table.relations_path_id} is not null`,
  ),
]);

/** Why a deletion stops a campaign, as the end of a sentence. */
export const reasons = {
  team: "its team was deleted",
  group: "its group was deleted",
  user: "its user was deleted",
  task: "a user of its tasks was deleted",
} as const;

const ofUser = { by: "messages/campaigns/deletion.ts#campaignReassignment" } as const;
const ofField = { by: "messages/campaigns/stop_approved.ts#stopCampaignsNaming" } as const;
/** The campaigns of others with tasks for the user. The own ones stop with the user. */
const ofOthers = (userId: Deleted["id"]) =>
  statement`user_id <> ${userId} and exists (select 1 from json_each(task, '$.distribute_users') d
    where d.value = ${userId})`;
const owner = describeOwnerReferences("user_id");

/** What its columns name, and what happens when that is deleted. */
export const campaignReferences = declareReferences(campaigns, {
  team_id: {
    team: [
      stop(reasons.team, { ...ofTeam, then: owner.team_id.team[0] }),
      stop(reasons.team, { ...ofTeam, then: owner.team_id.team[1] }),
    ],
  },
  group_id: { group: stop(reasons.group, { ...ofGroup, then: owner.group_id.group }) },
  kept_for: owner.kept_for,
  user_id: {
    user: [
      stop(reasons.user, { ...ofUser, then: leaveTo(ofUser.by, "reassign") }),
      stop(reasons.user, ofUser),
    ],
  },
  approved_by: { user: "keep" },
  // Once it is being sent it uses the copy of the template in its snapshot.
  template_id: {
    template: block("campaign", {
      where: "status = 'pending' and stage is null",
      company: "company_id",
      forced: clearAtOnce(),
    }),
  },
  filter: declareFilter(),
  subject: { field: stop("the field was deleted", ofField) },
  content: { field: stop("the field was deleted", ofField) },
  task: { user: stop(reasons.task, { rows: ofOthers }) },
  relations_path_id: {
    relations_path: block("campaign", {
      attribute: "task.relations_path",
      where: "status = 'pending' or stage is not null",
    }),
  },
  snapshot: "texts as they are sent",
});
export const Campaign = z.object(forAnswer(campaignMembers)).meta({
  id: "Campaign",
  description:
    "A message to many contacts. Visible to its team, to teams in a group with it, and to admins; " +
    "without a team and group, to the whole company.",
});

export const FullCampaign = Campaign.extend({
  message: WholeMessage,
  unshown_characters: z.array(z.string()).meta({
    description: "Characters of a letter's text that the fonts lack. They are left out of the PDF.",
    example: [],
  }),
}).meta({ id: "FullCampaign", extends: Campaign });

/** The order of the members of a body. */
const first = ["description", "message", "filter", "template_id", "send_at", "task"] as const;

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

const newCampaign = z.object(
  forCreate(campaignMembers, "name", "type", "approved", "execute_now", ...first),
);

export const CampaignBody = newCampaign.refine(isOwnedOnce, ownedOnce).meta({ id: "CampaignBody", example });

/** What a test mail shows of a new campaign: its text, and by its owner and filter the first recipient. */
export const CampaignTestBody = newCampaign.pick({
  type: true,
  message: true,
  filter: true,
  template_id: true,
  team_id: true,
  group_id: true,
}).refine(isOwnedOnce, ownedOnce).meta({
  id: "CampaignTestBody",
  description: "The members of a new campaign that its messages depend on. Others are ignored.",
  example: { type: example.type, message: example.message, filter: example.filter },
});

export const CampaignChange = orShownAs(
  z.object(forChange(campaignMembers, "name", "type", "approved", ...first)),
  { template_id: ["template", integerId] },
).refine(isOwnedOnce, ownedOnce).meta({
  id: "CampaignChange",
  description: "An absent member keeps its value; so does an absent member of `message`.",
  example: { name: "Early spring" },
});

export type CampaignBody = z.output<typeof CampaignBody>;
export type CampaignTestBody = z.output<typeof CampaignTestBody>;
export type CampaignChange = z.output<typeof CampaignChange>;

export type CampaignRow =
  & Omit<typeof campaigns.$inferSelect, "owner" | "reader" | "kept_for" | "stopped_reason">
  & {
    readonly stopped_reason?: string | null;
    readonly kept_for?: number | null;
  };

/** Presents a campaign in lists, without the content of its message. */
export const presentListedCampaign = presenter(campaignMembers, Campaign);

/** Presents a campaign with the content of its message. */
export const presentWholeCampaign = presenter(campaignMembers, FullCampaign);
