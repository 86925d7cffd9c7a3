/** Makes a preview of a message, which is kept for five minutes. */
import { ok } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, missingReference, notFound } from "../../core/errors.ts";
import { randomToken } from "../../core/ids.ts";
import { object } from "../../core/json.ts";
import { writeBefore } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { announceObjects } from "../../db/objects.ts";
import { sql } from "../../db/statements.ts";
import type { Result } from "../../platform/database/database.ts";
import { compose } from "../placeholders/compose.ts";
import { mostRendered, TooLong } from "../placeholders/render.ts";
import { templateById, visibleTemplate } from "../templates/queries.ts";
import { type MessageType, messageTypes } from "../message_type.ts";
import { cleanContent } from "../templates/write.ts";
import { factsOf, factsRead } from "./facts.ts";
import type { PreviewBody } from "./schema.ts";

/** The prefix of the storage keys of previews. */
export const previewFolder = "previews/";

/** Returns 200 with the address. Throws 404 for another type than a template's. */
export async function createPreview(ctx: Context, type: string, body: PreviewBody) {
  if (!isMessageType(type)) throw notFound(`There are templates of type ${messageTypes.join(" and ")}.`);
  const { deps, caller: { companyId } } = ctx;
  const [template, ...results] = await deps.db.read([
    templateById(companyId, body.template_id ?? 0),
    ...factsRead(ctx, body),
  ]);
  const errors: FieldError[] = [];
  const frame = frameOf(ctx, type, body, template!, errors);
  const facts = factsOf(ctx, body, results, errors);
  const content = cleanContent(body.content, errors);
  if (errors.length > 0) throw invalid(...errors);

  const { html } = composed(() =>
    compose({ type, subject: null, content, frame }, {
      facts,
      fields: ctx.fields.seen,
      showsPlaceholders: body.show_placeholders,
    })
  );
  const key = `${previewFolder}${randomToken()}`;
  const bytes = new TextEncoder().encode(pageOf(html));
  const preview = { key, type: "text/html; charset=utf-8", bytes };
  // Nothing takes the object, so a job removes it.
  await writeBefore(ctx, [announceObjects(ctx, companyId, [preview], sql`select 1`)]);
  await deps.storage.put(key, bytes, preview.type);
  return ok(object({ download_url: `${ctx.origin}/${key}` }));
}

function isMessageType(type: string): type is MessageType {
  return (messageTypes as readonly string[]).includes(type);
}

/** The content of the template that the body names; null without one. */
function frameOf(
  { caller }: Context,
  type: MessageType,
  { template_id }: PreviewBody,
  found: Result,
  errors: FieldError[],
): string | null {
  if (!template_id) return null;
  const template = visibleTemplate(caller, found);
  if (template?.type === type) return template.content;
  errors.push(missingReference("template_id", `template of type ${type}`));
  return null;
}

/** Throws 422 `max` at `content` for a text that rows make too long. */
function composed<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    throw invalid(
      fieldError("content", "max", `The rendered text has more than ${mostRendered} characters.`),
    );
  }
}

function pageOf(html: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Preview</title>${html}`;
}
