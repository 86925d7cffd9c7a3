/** Wire shapes of the lists of templates and placeholders. */
import { z } from "zod";
import { describePage, paging, search, sorting } from "../../http/lists.ts";
import { queryBoolean } from "../../http/zod.ts";
import { messageTypes } from "../message_type.ts";
import { Template } from "./record.ts";

export const templateSorts = { created_at: "created_at" };

export const TemplateListQuery = z.object({
  type: z.enum(messageTypes).optional().meta({ example: "email" }),
  campaign: queryBoolean.optional().meta({ description: "Whether it is offered for campaigns." }),
  ...paging,
  ...search,
  ...sorting(templateSorts),
});

export type TemplateListQuery = z.output<typeof TemplateListQuery>;

export const TemplatePage = describePage(Template, "TemplatePage");

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
