import type { Blocker } from "../../db/blockers.ts";
import { CustomerImpact } from "../../customers/deletion/schema.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { createTemplate } from "./create.ts";
import { deleteTemplate, getTemplateImpact } from "./delete.ts";
import { getTemplate, listPlaceholders, listTemplates, templateList } from "./queries.ts";
import { htmlBodyLimit } from "./content.ts";
import { FullTemplate, presentTemplate, TemplateBody, TemplateChange, type TemplateRow } from "./record.ts";
import { PlaceholderList, TemplateDeletion, TemplateListQuery, TemplatePage } from "./schema.ts";
import { updateTemplate } from "./update.ts";

const tag = "Templates";
const one = { template_id: "integer" } as const;
const writers =
  "For users and team admins in their own teams, group admins in their groups and these groups' " +
  "teams, and admins.";

/** `blockers`: the records that prevent the deletion of a template. */
export const declareTemplateEndpoints = (blockers: readonly Blocker[]): Endpoint[] => [
  endpoint({
    method: "get",
    path: "/v1/templates",
    operation: "listTemplates",
    tag,
    summary: "List templates of e-mails and letters",
    query: TemplateListQuery,
    answers: { 200: { description: "A page of templates, without their content.", schema: TemplatePage } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, templateList);
    const { rows, total } = await listTemplates(ctx, query, paging);
    const present = (row: typeof rows[number]) => presentTemplate(row as TemplateRow & typeof row);
    return page({ url, ctx }, paging, rows, total, present);
  }),
  endpoint({
    method: "post",
    path: "/v1/templates",
    operation: "createTemplate",
    tag,
    summary: "Create a template",
    description: writers,
    right: "templates.manage",
    body: TemplateBody,
    bodyLimit: htmlBodyLimit,
    answers: { 201: { description: "The new template.", schema: FullTemplate } },
  }, (ctx, { body }) => createTemplate(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/templates/placeholders",
    operation: "listPlaceholders",
    tag,
    summary: "List the placeholders of templates, with the company's custom fields",
    answers: { 200: { description: "All placeholders.", schema: PlaceholderList } },
  }, (ctx) => listPlaceholders(ctx)),
  endpoint({
    method: "get",
    path: "/v1/templates/:template_id",
    operation: "getTemplate",
    tag,
    summary: "Get a template with its content",
    params: one,
    answers: { 200: { description: "The template.", schema: FullTemplate } },
  }, (ctx, { params }) => getTemplate(ctx, params.template_id)),
  endpoint({
    method: "put",
    path: "/v1/templates/:template_id",
    operation: "updateTemplate",
    tag,
    summary: "Change a template",
    description: writers,
    right: "templates.manage",
    params: one,
    body: TemplateChange,
    bodyLimit: htmlBodyLimit,
    answers: { 200: { description: "The updated template.", schema: FullTemplate } },
  }, (ctx, { params, body }) => updateTemplate(ctx, params.template_id, body)),
  endpoint({
    method: "get",
    path: "/v1/templates/:template_id/delete-impact",
    operation: "getTemplateDeleteImpact",
    tag,
    summary: "Get the impact of deleting a template",
    description: writers,
    right: "templates.manage",
    params: one,
    answers: {
      200: {
        description: "What prevents the deletion without `force`: campaigns and communications that wait.",
        schema: CustomerImpact,
      },
    },
  }, (ctx, { params }) => getTemplateImpact(ctx, blockers, params.template_id)),
  endpoint({
    method: "delete",
    path: "/v1/templates/:template_id",
    operation: "deleteTemplate",
    tag,
    summary: "Delete a template",
    description: `${writers} Relations paths and campaigns that name the template lose it.`,
    right: "templates.manage",
    params: one,
    query: TemplateDeletion,
    conflicts: ["template_in_use"],
    answers: { 204: { description: "The template is deleted.", schema: null } },
  }, (ctx, { params, query }) => deleteTemplate(ctx, blockers, params.template_id, query.force ?? false)),
];
