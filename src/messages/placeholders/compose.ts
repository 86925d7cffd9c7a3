/**
 * Composes a message from a text and its frame, the template. Both are rendered, and the result is sanitised
 * again.
 */
import { sanitizeEmail } from "../../core/html.ts";
import { ExcessiveHtml } from "../../core/html_limits.ts";
import type { Fields } from "../../db/fields.ts";
import type { MessageType } from "../message_type.ts";
import { type Facts, valuesOf } from "./catalogue.ts";
import { type Found, Html, render, TooLong } from "./render.ts";
import { namesIn, partsOfText } from "./syntax.ts";

export interface Draft {
  readonly type: MessageType;
  /** Text with placeholders; null for a letter. */
  readonly subject: string | null;
  /** Sanitised HTML with placeholders. */
  readonly content: string;
  /** The content of the template; null without one. */
  readonly frame: string | null;
}

/** `fields`: the fields whose values may be shown. */
export interface Composing {
  readonly facts: Omit<Facts, "subject" | "content">;
  readonly fields: Fields;
  readonly showsPlaceholders?: boolean;
}

export interface Message {
  /** One line of text. */
  readonly subject: string | null;
  /** Sanitised HTML. */
  readonly html: string;
}

/** Composes a message. Throws `TooLong` when rows make the text longer than `mostRendered`. */
export function compose(
  draft: Draft,
  { facts, fields, showsPlaceholders = false }: Composing,
): Promise<Message> {
  return composeWith(
    draft,
    (own) => valuesOf({ ...facts, ...own }, fields, draft.type),
    showsPlaceholders,
  );
}

/**
 * Composes a message with the values of a function by name. The function gets the rendered subject and
 * content.
 */
export async function composeWith(
  { subject, content, frame }: Omit<Draft, "type">,
  valuesBeside: (own: Pick<Facts, "subject" | "content">) => (name: string) => Found,
  showsPlaceholders = false,
): Promise<Message> {
  const filled = (source: string, target: "html" | "text", own: Pick<Facts, "subject" | "content">) =>
    render(partsOfText(source), { value: valuesBeside(own), target, showsPlaceholders, source });
  const line = subject === null ? null : await filled(subject, "text", { subject: null, content: null });
  const inner = await clean(await filled(content, "html", { subject: line, content: null }));
  if (frame === null) return { subject: line, html: inner };
  const framed = await filled(frame, "html", { subject: line, content: new Html(inner) });
  return { subject: line, html: await clean(framed) };
}

/** Values and rows can exceed the limits of a text that did not. */
async function clean(html: string): Promise<string> {
  try {
    return await sanitizeEmail(html);
  } catch (error) {
    throw error instanceof ExcessiveHtml ? new TooLong(error.message, { cause: error }) : error;
  }
}

/**
 * Returns whether the template has a place for the text of a message. Otherwise the template is the whole
 * text.
 */
export function hasContent(frame: string): boolean {
  return namesIn(partsOfText(frame)).includes("content");
}
