/**
 * Cleans HTML, with the library that parses it. Load it with `import()` on first use only: the library takes
 * 20 ms of a start and 8 MB.
 */

import sanitizeHtml, { type IOptions } from "sanitize-html";
import { ExcessiveHtml, findExcess } from "./html_limits.ts";
import { cleanStyleSheet } from "./style_sheet.ts";

/**
 * Cleans rich text (signatures, templates, campaigns, notes). Keeps usual formatting, links to http, https,
 * mailto and tel, images from http and https, and pictures inside the text; removes scripts, forms, frames and event handlers.
 * Like all functions here that clean, it throws `ExcessiveHtml`.
 */
export function cleanText(html: string): string {
  return clean(html, richTextOptions);
}

/** Cleans the HTML of an arrived e-mail as `cleanText` does, and keeps pictures that are its attachments. */
export function cleanArrived(html: string): string {
  return clean(html, inboundOptions);
}

/**
 * Cleans the HTML of an e-mail as `cleanText` does, and keeps what newsletters are made with: style sheets
 * with media queries, classes, ids and roles.
 */
export function cleanEmail(html: string): string {
  return clean(html, emailOptions).replaceAll(styleSheets, (_, media: string | undefined, rules: string) => {
    const kept = cleanStyleSheet(rules);
    return kept === "" ? "" : `<style${media ?? ""}>${kept}</style>`;
  });
}

/** In clean HTML, `<` and `>` stand for tags only. */
const styleSheets = /<style\b(?:[^>]*?( media="[\w\s():,.-]*"))?[^>]*>([^]*?)<\/style>/g;

/** Cleans lead data: keeps b, strong, i, em, blockquote and br, without attributes. */
export function cleanLeadHtml(html: string): string {
  return clean(html, leadOptions);
}

/** Returns the words of clean HTML: line ends for blocks, link addresses after their words, `&`, `<` and `>` escaped. */
export function stripTags(html: string): string {
  const lined = html.includes("<")
    ? html.replaceAll(/\s+/g, " ").replaceAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g, writeLink)
      .replaceAll(/<li[^>]*>/g, "\n- ").replaceAll(lineEnds, "\n")
    : html;
  return sanitizeHtml(lined, { allowedTags: [], nonTextTags });
}

const lineEnds = /<br ?\/?>|<\/(?:p|div|h\d|li|ul|ol|tr|table|blockquote|pre|center)>/g;

function writeLink(_: string, href: string, words: string): string {
  return href === words ? words : `${words} (${href})`;
}

const lengthForm = /^(?:-?[\d.]+(?:px|em|rem|pt|%)?|auto)(?:\s+(?:-?[\d.]+(?:px|em|rem|pt|%)?|auto)){0,3}$/;
const colorForm = /^(?:#[\da-f]{3,8}|[a-z]{3,24}|(?:rgb|hsl)a?\([\d\s.,%/]{1,40}\))$/i;
const keywordsForm = /^[a-z\d-]{1,24}(?:\s+[a-z\d-]{1,24}){0,3}$/i;
const dataImageUrl = /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/]+={0,2}$/;
const borderForm = /^[\w\s#.-]{1,60}$/;

const maxNesting = 100;

/** Tags that are removed with their content. */
const nonTextTags = ["script", "style", "textarea", "option", "noscript", "title", "xmp", "iframe", "object"];

const leadOptions: IOptions = {
  allowedTags: ["b", "strong", "i", "em", "blockquote", "br"],
  allowedAttributes: {},
  nonTextTags,
  nestingLimit: maxNesting,
};

const richTextOptions: IOptions = {
  allowedTags: [...sanitizeHtml.defaults.allowedTags, "img", "del", "ins", "center", "font"],
  allowedAttributes: {
    "*": ["style", "title", "dir", "lang", "align"],
    a: ["href", "name", "target", "rel"],
    img: ["src", "alt", "width", "height"],
    table: ["width", "border", "cellpadding", "cellspacing", "bgcolor"],
    td: ["colspan", "rowspan", "width", "height", "valign", "bgcolor"],
    th: ["colspan", "rowspan", "width", "height", "valign", "bgcolor", "scope"],
    tr: ["valign", "bgcolor"],
    col: ["span", "width"],
    colgroup: ["span", "width"],
    ol: ["start", "type"],
    font: ["color", "face", "size"],
  },
  allowedStyles: {
    "*": {
      "color": [colorForm],
      "background-color": [colorForm],
      "background": [colorForm],
      "font-family": [/^[\w\s,'"-]{1,200}$/],
      "font-size": [lengthForm, keywordsForm],
      "font-style": [keywordsForm],
      "font-weight": [keywordsForm],
      "line-height": [lengthForm, keywordsForm],
      "text-align": [keywordsForm],
      "text-decoration": [keywordsForm],
      "vertical-align": [keywordsForm, lengthForm],
      "width": [lengthForm],
      "max-width": [lengthForm],
      "height": [lengthForm],
      ...sides("margin", lengthForm),
      ...sides("padding", lengthForm),
      ...sides("border", borderForm),
      "border-collapse": [keywordsForm],
      "page-break-before": [keywordsForm],
      "page-break-after": [keywordsForm],
      "break-before": [keywordsForm],
      "break-after": [keywordsForm],
      "border-radius": [lengthForm],
    },
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowedSchemesByTag: { img: ["http", "https", "data"] },
  allowProtocolRelative: false,
  nonTextTags,
  nestingLimit: maxNesting,
  transformTags: {
    // A data URL of another type could be a document.
    img: (tagName, { src, ...attribs }) => ({
      tagName,
      attribs: src === undefined || (src.startsWith("data:") && !dataImageUrl.test(src))
        ? attribs
        : { src, ...attribs },
    }),
    // A page in a new tab could otherwise control its opener.
    a: (tagName, attribs) => ({
      tagName,
      attribs: attribs.target === undefined ? attribs : { ...attribs, rel: "noopener noreferrer" },
    }),
  },
};

const inboundOptions: IOptions = {
  ...richTextOptions,
  allowedSchemesByTag: { img: ["http", "https", "data", "cid"] },
};

const emailOptions: IOptions = {
  ...richTextOptions,
  allowedTags: [...richTextOptions.allowedTags as string[], "style"],
  allowedAttributes: {
    ...richTextOptions.allowedAttributes as Record<string, string[]>,
    "*": [...(richTextOptions.allowedAttributes as Record<string, string[]>)["*"]!, "class", "id", "role"],
    style: ["media"],
  },
  nonTextTags: nonTextTags.filter((tag) => tag !== "style"),
  // `cleanEmail` cleans the style sheets afterwards.
  allowVulnerableTags: true,
};

function clean(html: string, options: IOptions): string {
  // Text without `<` has no tags, and its entities stand for text.
  if (!html.includes("<")) return html;
  const excess = findExcess(html, options === emailOptions);
  if (excess !== null) throw new ExcessiveHtml(excess);
  return sanitizeHtml(html, options);
}

function sides(property: string, value: RegExp): Record<string, RegExp[]> {
  const names = ["", "-top", "-right", "-bottom", "-left"].map((side) => property + side);
  return Object.fromEntries(names.map((name) => [name, [value]]));
}
