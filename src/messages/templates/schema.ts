/** Wire shapes of templates. */
import { z } from "zod";
import { isOwnedOnce } from "../../identity/owners.ts";
import { pageOfSchema, paging, search, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { filledLine, flag, html, integerId, longText, optional, queryBoolean } from "../../http/zod.ts";
import { messageTypes } from "../message_type.ts";

/** The most bytes of a body with HTML. */
export const htmlBodyLimit = 4 * 1024 * 1024;

/** The most characters of the HTML of a template, campaign or automated communication. */
export const mostContent = 500_000;

export const templateSorts = { created_at: "created_at" };

export const TemplateListQuery = z.object({
  type: z.enum(messageTypes).optional().meta({ example: "email" }),
  campaign: queryBoolean.optional().meta({ description: "Whether it is offered for campaigns." }),
  ...paging,
  ...search,
  ...sorting(templateSorts),
});

const margin = optional(z.int().min(0).max(100)).meta({
  description: "Millimetres, 0 to 100; null: 25. Of letters only.",
  example: null,
});

const content = html(longText(1, mostContent)).meta({
  description:
    "HTML with Mustache placeholders, see `GET /v1/templates/placeholders`. The text of a message " +
    "stands at `{{content}}`; without it, the template is the whole text.",
  example: "<p>Dear {{contact.first_name}},</p>{{content}}<p>{{user.signature}}</p>",
});

const owners = {
  team_id: optional(integerId).meta({
    description: "The owning team; default: the active team, else the company. Null: the company.",
  }),
  group_id: optional(integerId).meta({ description: "The owning group.", example: null }),
};

const letterOnly = {
  margin_top: margin,
  margin_left: margin,
  margin_right: margin,
  margin_bottom: margin,
};

const ownedOnce = {
  ...refusal("excluded", "A template belongs to a team or a group, not to both."),
  path: ["group_id"],
};

export const TemplateBody = z.object({
  type: z.enum(messageTypes).meta({ example: "email" }),
  title: filledLine(255).meta({ example: "Answer to a test drive request" }),
  content,
  campaign: flag(false).meta({ description: "Whether it is offered for campaigns." }),
  ...owners,
  ...letterOnly,
}).refine(isOwnedOnce, ownedOnce).meta({
  id: "TemplateBody",
  example: { type: "email", title: "Answer", content: "<p>Dear {{contact.first_name}},</p>{{content}}" },
});

export const TemplateChange = z.object({
  type: z.enum(messageTypes).optional().meta({ description: "Never changes.", example: "email" }),
  title: filledLine(255).optional().meta({ example: "Answer to a test drive request" }),
  content: content.optional(),
  campaign: optional(z.boolean()),
  ...owners,
  ...letterOnly,
}).refine(isOwnedOnce, ownedOnce).meta({
  id: "TemplateChange",
  description: "An absent member keeps its value.",
  example: { title: "Answer to a question" },
});

export type TemplateBody = z.output<typeof TemplateBody>;
export type TemplateChange = z.output<typeof TemplateChange>;
export type TemplateListQuery = z.output<typeof TemplateListQuery>;

const millimetres = z.int().nullable().meta({ example: null });

export const Template = z.object({
  id: z.int().meta({ example: 7 }),
  type: z.enum(messageTypes).meta({ example: "email" }),
  company_id: z.int().meta({ example: 1 }),
  title: z.string().meta({ example: "Answer to a test drive request" }),
  user_id: z.int().meta({ example: 3, description: "The author." }),
  team_id: z.int().nullable(),
  group_id: z.int().nullable(),
  campaign: z.boolean().meta({ example: false }),
  margin_top: millimetres,
  margin_left: millimetres,
  margin_right: millimetres,
  margin_bottom: millimetres,
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({
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

export const TemplatePage = pageOfSchema(Template, "TemplatePage");

export const TemplateDeletion = z.object({
  force: queryBoolean.optional().meta({
    description: "Whether to delete a template that waiting messages use. They are then sent without it.",
  }),
});

export const PlaceholderList = z.object({
  data: z.array(z.object({
    name: z.string().meta({ example: "contact.first_name" }),
    description: z.string().meta({ example: "First name of the contact." }),
    types: z.array(z.enum(messageTypes)).meta({ description: "The types of templates that have it." }),
  })),
}).meta({ id: "PlaceholderList" });
