/** Makes a preview of a message, which is kept for five minutes. */
import { ok } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, missingReference, notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { Attempts } from "../../identity/attempts/attempts.ts";
import { makeMakingLimits } from "../../identity/attempts/limits.ts";
import type { Result } from "../../platform/database/database.ts";
import { makeLetter, mostPages, TooManyPages } from "../letters/make.ts";
import { compose } from "../placeholders/compose.ts";
import { TooLong } from "../placeholders/render.ts";
import { readVisibleTemplate, selectTemplateById } from "../templates/queries.ts";
import { type MessageType, messageTypes } from "../message_type.ts";
import type { TemplateRow } from "../templates/record.ts";
import { cleanContent } from "../templates/write.ts";
import { keepPreview } from "./keep.ts";
import { readPreviewFacts, selectPreviewFacts } from "./records.ts";
import type { PreviewBody } from "./schema.ts";

/** Returns 200 with the address. Throws 404 for a type that templates do not have. */
export async function createPreview(ctx: Context, type: string, body: PreviewBody) {
  if (!isMessageType(type)) throw notFound(`There are templates of type ${messageTypes.join(" and ")}.`);
  const { deps, caller: { companyId } } = ctx;
  const attempts = new Attempts(ctx, makeMakingLimits("preview", ctx.caller));
  const [made, template, ...results] = await deps.db.read([
    attempts.read,
    selectTemplateById(companyId, body.template_id ?? 0),
    ...selectPreviewFacts(ctx, body),
  ]);
  const errors: FieldError[] = [];
  const frame = checkFrame(ctx, type, body, template!, errors);
  const facts = readPreviewFacts(ctx, body, results, errors);
  attempts.check(made!);
  const content = await cleanContent(body.content, errors);
  if (errors.length > 0) throw invalid(...errors);

  const { html } = await mapLimitErrors(() =>
    compose({ type, subject: null, content, frame: frame?.content ?? null }, {
      facts,
      fields: ctx.fields.seen,
      showsPlaceholders: body.show_placeholders,
    })
  );
  const shown = type === "email" ? wrapPage(html) : await mapLimitErrors(() => printLetter(ctx, html, frame));
  return ok({
    download_url: await keepPreview(ctx, attempts, shown),
    unshown_characters: shown.unshown,
  });
}

function isMessageType(type: string): type is MessageType {
  return (messageTypes as readonly string[]).includes(type);
}

/** The template that the body names; null without one. */
function checkFrame(
  { caller }: Context,
  type: MessageType,
  { template_id }: PreviewBody,
  found: Result,
  errors: FieldError[],
): TemplateRow | null {
  if (!template_id) return null;
  const template = readVisibleTemplate(caller, found);
  if (template?.type === type) return template;
  errors.push(missingReference("template_id", `template of type ${type}`));
  return null;
}

/** Throws 422 `max` at `content` for a text that rows make too long, and for a letter of too many pages. */
async function mapLimitErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = error instanceof TooLong
      ? error.message
      : error instanceof TooManyPages
      ? `The letter has more than ${mostPages} pages.`
      : null;
    if (fault === null) throw error;
    throw invalid(fieldError("content", "max", fault));
  }
}

interface Shown {
  /** Characters that were left out. */
  readonly unshown: readonly string[];
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

async function printLetter(
  { deps, caller }: Context,
  html: string,
  frame: TemplateRow | null,
): Promise<Shown> {
  const { margin_top = null, margin_right = null, margin_bottom = null, margin_left = null } = frame ?? {};
  const margins = { margin_top, margin_right, margin_bottom, margin_left };
  const { bytes, unshown } = await makeLetter(deps, {
    html,
    title: "Preview",
    companyId: caller.companyId,
    ...margins,
  });
  return { type: "application/pdf", bytes, unshown };
}

function wrapPage(html: string): Shown {
  const head = '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">';
  const bytes = new TextEncoder().encode(`${head}<title>Preview</title>${html}`);
  return { type: "text/html; charset=utf-8", bytes, unshown: [] };
}
