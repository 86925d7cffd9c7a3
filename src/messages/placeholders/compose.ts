/**
 * Composes a message from a text and its frame, the template. Both are rendered, and the result is sanitised
 * again.
 */
import { BoundedMap } from "../../core/bounded_map.ts";
import { extractPlainText, sanitizeEmail } from "../../core/html.ts";
import { ExcessiveHtml } from "../../core/html_limits.ts";
import type { Fields } from "../../fields/field_sets.ts";
import type { MessageType } from "../message_type.ts";
import { type Facts, makeValueLookup } from "./catalogue.ts";
import { keepsMarks, Marks } from "./marks.ts";
import { type Found, Html, render as renderText, TooLong } from "./render.ts";
import { fillShape, fillWords, makeShape, type Shape } from "./shapes.ts";
import { listNamesIn, parseText } from "./syntax.ts";

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
    (own) => makeValueLookup({ ...facts, ...own }, fields, draft.type),
    showsPlaceholders,
  );
}

type Values = (own: OwnValues) => (name: string) => Found;

interface Options {
  readonly showsPlaceholders?: boolean;
  /** Clean HTML with placeholders, after the text. */
  readonly tail?: string;
}

/**
 * Composes a message with the values of a function by name. The function gets the rendered subject and
 * content.
 */
export async function composeWith(
  draft: Omit<Draft, "type">,
  getValue: Values,
  showsPlaceholders = false,
): Promise<Message> {
  const { subject, html } = await composeMailWith(draft, getValue, { showsPlaceholders });
  return { subject, html };
}

/** Composes as `composeWith` does, also the plain text of a mail. */
export async function composeMailWith(
  draft: Omit<Draft, "type">,
  getValue: Values,
  { showsPlaceholders = false, tail = "" }: Options = {},
): Promise<Message & { readonly words: () => Promise<string> }> {
  const render = (source: string, target: "html" | "text", own: OwnValues, marks: Marks | null = null) =>
    renderText(parseText(source), { value: getValue(own), target, showsPlaceholders, source, marks });
  const subject = draft.subject === null
    ? null
    : await render(draft.subject, "text", { subject: null, content: null });
  const marks = new Marks();
  const texts = { ...draft, subject, tail };
  const shape = await shapeOfTexts(texts, render, marks);
  const filled = shape && fillShape(shape, marks.values);
  const html = filled ?? await cleanText(texts, render);
  const words = async () =>
    (filled && shape && await fillWords(shape, marks.values)) ?? await extractPlainText(html);
  return { subject, html, words };
}

type OwnValues = Pick<Facts, "subject" | "content">;
type Render = (source: string, target: "html", own: OwnValues, marks?: Marks) => Promise<string>;
type Texts = Omit<Draft, "type"> & { readonly tail: string };

/** Cleans the text with its values. */
async function cleanText({ subject, content, frame, tail }: Texts, render: Render): Promise<string> {
  const inner = await clean(await render(content, "html", { subject, content: null }));
  const after = await render(tail, "html", { subject, content: null });
  if (frame === null) return inner + after;
  return await clean(await render(frame, "html", { subject, content: new Html(inner) })) + after;
}

/**
 * Returns the text cleaned with marks in place of values: much faster, because most messages of a campaign
 * have the same. Null where a value could change what is parsed.
 */
async function shapeOfTexts(
  { subject, content, frame, tail }: Texts,
  render: Render,
  marks: Marks,
): Promise<Shape | null> {
  for (const text of [content, frame, tail]) marks.check(text ?? "");
  let source = await render(content, "html", { subject, content: null }, marks);
  const inner = await cleanOnce(source);
  if (inner === null) return null;
  let html = inner;
  if (frame !== null) {
    marks.beginText();
    source = await render(frame, "html", { subject, content: new Html(inner) }, marks);
    const framed = await cleanOnce(source);
    if (framed === null || !await isAround(frame, subject, render)) return null;
    html = framed;
  }
  marks.beginText();
  const after = await render(tail, "html", { subject, content: null }, marks);
  // Text without tags is not cleaned.
  return marks.isClear && source.includes("<") ? makeShape(html + after) : null;
}

/** Returns whether a frame has its content beside tags only. Inside of one, the content could end it. */
async function isAround(frame: string, subject: string | null, render: Render): Promise<boolean> {
  const marks = new Marks();
  const content = "content";
  const html = await cleanOnce(await render(frame, "html", { subject, content }, marks));
  const places = html === null ? null : makeShape(html).places.get(marks.values.indexOf(content));
  return html !== null && [...places ?? []].every((place) => place === "text");
}

/** Bytes of kept texts. */
const budget = 8 * 1024 * 1024;
const kept = new BoundedMap<string | null>(budget);

/** Cleans a text with marks; null when marks are lost. */
async function cleanOnce(marked: string): Promise<string | null> {
  const found = kept.get(marked);
  if (found !== undefined) return found;
  const html = await clean(marked);
  const cleaned = keepsMarks(marked, html) ? html : null;
  kept.set(marked, cleaned, marked.length + (cleaned?.length ?? 0));
  return cleaned;
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
  return listNamesIn(parseText(frame)).includes("content");
}
