/** Template → wire shape. */
import { lateNumber } from "../../core/answer.ts";
import { object } from "../../core/json.ts";
import type { Fields } from "../../db/fields.ts";
import { placeholders } from "../placeholders/catalogue.ts";
import { namesIn, partsOfText } from "../placeholders/syntax.ts";
import type { TemplateRow } from "./table.ts";

export type { TemplateRow };

/** `id` is null until the batch assigns it. */
export type TemplateFacts = Omit<TemplateRow, "id"> & { readonly id: number | null };

/** Lists show a template without its content. */
export type ListedTemplate = Omit<TemplateFacts, "content">;

export function presentTemplate(template: ListedTemplate) {
  return object(membersOf(template));
}

/** Adds the content, and the placeholders in it that do not exist with the fields that the viewer sees. */
export function presentFullTemplate(template: TemplateFacts, fields: Fields) {
  return object({
    ...membersOf(template),
    content: template.content,
    unknown_placeholders: unknownIn(template, fields),
  });
}

function membersOf(template: ListedTemplate) {
  return {
    id: lateNumber(template.id),
    type: template.type,
    company_id: template.company_id,
    title: template.title,
    user_id: template.user_id,
    team_id: template.team_id,
    group_id: template.group_id,
    campaign: template.campaign === 1,
    margin_top: template.margin_top,
    margin_left: template.margin_left,
    margin_right: template.margin_right,
    margin_bottom: template.margin_bottom,
    created_at: template.created_at,
    updated_at: template.updated_at,
  };
}

function unknownIn({ content, type }: TemplateFacts, fields: Fields): string[] {
  const known = new Set(
    placeholders(fields).filter(({ types }) => types.includes(type)).map(({ name }) => name),
  );
  const inRows = (name: string) => known.has(`product_details.${name}`);
  return namesIn(partsOfText(content)).filter((name) => !known.has(name) && !inRows(name));
}
