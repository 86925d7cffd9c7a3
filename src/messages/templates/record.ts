/** The template, described once. */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { describeOwnerReferences } from "../../identity/owner_references.ts";
import { declareReferences } from "../../db/references.ts";
import { refusal } from "../../http/validate.ts";
import { flag, html, longText, optional } from "../../http/zod.ts";
import { describeOwnerMembers } from "../../identity/owner_members.ts";
import { isOwnedOnce } from "../../identity/owners.ts";
import { companies } from "../../identity/companies/table.ts";
import {
  numberedId,
  optionalFlag,
  readOnly,
  requiredLine,
  stamps,
  versioned,
  writeOnly,
} from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members, presenter } from "../../records/members.ts";
import { messageTypes } from "../message_type.ts";
import { mostContent } from "./content.ts";

const content = html(longText(1, mostContent)).meta({
  description:
    "HTML with Mustache placeholders, see `GET /v1/templates/placeholders`. The text of a message " +
    "stands at `{{content}}`; without it, the template is the whole text.",
  example: "<p>Dear {{contact.first_name}},</p>{{content}}<p>{{user.signature}}</p>",
});

const margin = () => ({
  column: integer(),
  shown: z.int().nullable().meta({ example: null }),
  ...writeOnly(
    optional(z.int().min(0).max(100)).meta({
      description: "Millimetres, 0 to 100; null: 25. Of letters only.",
      example: null,
    }),
  ),
});

const ownedOnce = {
  ...refusal("excluded", "A template belongs to a team or a group, not to both."),
  path: ["group_id"],
};

export const templateMembers = {
  id: numberedId(7),
  type: {
    column: text({ enum: messageTypes }).notNull(),
    shown: z.enum(messageTypes).meta({ example: "email" }),
    create: z.enum(messageTypes).meta({ example: "email" }),
    change: z.enum(messageTypes).optional().meta({ description: "Never changes.", example: "email" }),
  },
  company_id: readOnly(
    integer().notNull().references(() => companies.id),
    z.int().meta({ example: 1 }),
  ),
  title: requiredLine(255, { example: "Answer to a test drive request" }),
  /** Sanitised HTML with placeholders. Lists do not show it. */
  content: { column: text().notNull(), create: content, change: content.optional(), stored: "code" },
  user_id: readOnly(integer().notNull(), z.int().meta({ example: 3, description: "The author." })),
  ...describeOwnerMembers(),
  /** Whether it is offered for campaigns. */
  campaign: {
    ...optionalFlag({ example: false }),
    create: flag(false).meta({ description: "Whether it is offered for campaigns." }),
    change: optional(z.boolean()),
  },
  margin_top: margin(),
  margin_left: margin(),
  margin_right: margin(),
  margin_bottom: margin(),
  ...stamps(),
  ...versioned,
} satisfies Members;

export const templates = sqliteTable("templates", columns(templateMembers), (table) => [
  index("templates_by_created").on(table.company_id, table.created_at, table.id),
  index("templates_by_owner").on(table.company_id, table.owner, table.created_at, table.id),
  index("templates_by_reader").on(table.company_id, table.reader, table.created_at, table.id),
]);

/** What its columns name, and what happens when that is deleted. */
export const templateReferences = declareReferences(templates, {
  ...describeOwnerReferences("user_id"),
  user_id: { user: "keep" },
  // It is named in `unknown_placeholders`, and has no value.
  content: { field: "keep" },
});

export const Template = z.object(forAnswer(templateMembers)).meta({
  id: "Template",
  description:
    "A layout of e-mails or letters. Visible to its team, to teams in a group with it, and to admins; " +
    "without a team and group, to the whole company.",
});

export const FullTemplate = Template.extend({
  content: z.string().meta({ example: "<p>Dear {{contact.first_name}},</p>{{content}}" }),
  unknown_placeholders: z.array(z.string()).meta({
    description: "Placeholders that do not exist. They stay empty.",
    example: [],
  }),
}).meta({ id: "FullTemplate", extends: Template });

export const TemplateBody = z.object(forCreate(templateMembers, "type", "title", "content", "campaign"))
  .refine(isOwnedOnce, ownedOnce).meta({
    id: "TemplateBody",
    example: { type: "email", title: "Answer", content: "<p>Dear {{contact.first_name}},</p>{{content}}" },
  });

export const TemplateChange = z.object(forChange(templateMembers, "type", "title", "content", "campaign"))
  .refine(isOwnedOnce, ownedOnce).meta({
    id: "TemplateChange",
    description: "An absent member keeps its value.",
    example: { title: "Answer to a question" },
  });

export type TemplateBody = z.output<typeof TemplateBody>;
export type TemplateChange = z.output<typeof TemplateChange>;

export type TemplateRow = Omit<typeof templates.$inferSelect, "owner" | "reader" | "kept_for"> & {
  readonly kept_for?: number | null;
};

/** `id` is null until the batch assigns it. */
export type TemplateFacts = Omit<TemplateRow, "id"> & { readonly id: number | null };

/** Presents a template in lists, without its content. */
export const presentTemplate = presenter(templateMembers, Template);

/** Presents a template with its content, and the placeholders in it that do not exist. */
export const presentWhole = presenter(templateMembers, FullTemplate);
