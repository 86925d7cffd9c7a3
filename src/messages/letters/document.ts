/**
 * Sanitised HTML → the content of a PDF document. Leaves out what a page cannot show. This is a converter of
 * our own, because existing ones fail for tables without a body and for cells that span more than the table
 * has.
 */
import type { ChildNode, Element } from "domhandler";
import { parseDocument } from "htmlparser2";
import type { Block, Run, TextStyle } from "../../platform/pdf/pdf.ts";
import { composeStyle, pageBreak, parsePoints } from "./styles.ts";
import { parseTable } from "./tables.ts";

/** Images by their `src`, as data URLs of PNG or JPEG. */
export type Images = ReadonlyMap<string, string>;

/** Points between the margins of a page, for images. */
const widest = 480;
const highest = 700;

export function parseContent(html: string, images: Images): Block[] {
  return parseBlocks(parseDocument(html).children as ChildNode[], {}, images);
}

/** Returns the sources of the images in the order of the document, each once. */
export function listImages(html: string): string[] {
  const found = new Set<string>();
  const collect = (nodes: readonly ChildNode[]) => {
    for (const node of nodes) {
      if (!isElement(node)) continue;
      if (node.name === "img" && node.attribs.src) found.add(node.attribs.src);
      collect(node.children as ChildNode[]);
    }
  };
  collect(parseDocument(html).children as ChildNode[]);
  return [...found];
}

/** The blocks of some nodes; text between blocks becomes paragraphs. */
export function parseBlocks(nodes: readonly ChildNode[], style: TextStyle, images: Images): Block[] {
  const blocks: Block[] = [];
  let runs: Run[] = [];
  const endParagraph = () => {
    const text = trimRuns(runs);
    runs = [];
    if (text.length > 0) blocks.push({ text, ...describeAlignment(style) });
  };
  const inline = (node: ChildNode, within: TextStyle) => {
    if (node.type === "text") {
      const text = within.preserveLeadingSpaces ? node.data : node.data.replaceAll(/\s+/g, " ");
      for (const part of breakable(text)) runs.push({ text: part, ...within });
    } else if (isElement(node)) {
      const own = composeStyle(node, within);
      if (node.name === "br") runs.push({ text: "\n", ...within });
      else if (isBlock(node)) {
        endParagraph();
        blocks.push(...makeBlock(node, own, images));
      } else for (const child of node.children as ChildNode[]) inline(child, own);
    }
  };
  for (const node of nodes) inline(node, style);
  endParagraph();
  return blocks;
}

const blockTags = new Set([
  ...["address", "article", "aside", "blockquote", "center", "dd", "div", "dl", "dt", "figcaption", "figure"],
  ...[
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "img",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
  ],
  ...["section", "table", "ul"],
]);

/** Points below a block. */
const spaces: Readonly<Record<string, number>> = {
  p: 8,
  ul: 8,
  ol: 8,
  dl: 8,
  pre: 8,
  table: 8,
  blockquote: 8,
  h1: 10,
  h2: 8,
  h3: 6,
  h4: 6,
  h5: 6,
  h6: 6,
};

function isBlock({ name }: Element): boolean {
  return blockTags.has(name);
}

function makeBlock(element: Element, style: TextStyle, images: Images): Block[] {
  const made = makeInside(element, style, images);
  const [before, after] = [pageBreak(element, "before"), pageBreak(element, "after")];
  if (made.length === 0 && !before && !after) return [];
  const left = element.name === "blockquote" || element.name === "dd" ? 24 : 0;
  const below = spaces[element.name] ?? 0;
  return [{
    stack: made.length > 0 ? made : [{ text: "" }],
    margin: [left, 0, 0, below],
    ...(before ? { pageBreak: "before" as const } : after ? { pageBreak: "after" as const } : {}),
  }];
}

function makeInside(element: Element, style: TextStyle, images: Images): Block[] {
  const children = element.children as ChildNode[];
  switch (element.name) {
    case "hr":
      return [{
        canvas: [{ type: "line", x1: 0, y1: 6, x2: widest, y2: 6, lineWidth: 0.5, lineColor: "#999999" }],
      }];
    case "img":
      return makeImage(element, style, images);
    case "table":
      return parseTable(
        element,
        style,
        (cell, own) => parseBlocks(cell.children as ChildNode[], own, images),
      );
    case "ul":
    case "ol":
      return makeList(element, style, images);
    default:
      return parseBlocks(children, style, images);
  }
}

const listTypes: Readonly<Record<string, "lower-alpha" | "upper-alpha" | "lower-roman" | "upper-roman">> = {
  a: "lower-alpha",
  A: "upper-alpha",
  i: "lower-roman",
  I: "upper-roman",
};

function makeList({ name, attribs, children }: Element, style: TextStyle, images: Images): Block[] {
  const items = (children as ChildNode[]).filter(isElement).map((item): Block => {
    const inside = parseBlocks(
      item.name === "li" ? item.children as ChildNode[] : [item],
      composeStyle(item, style),
      images,
    );
    return { stack: inside.length > 0 ? inside : [{ text: "" }] };
  });
  if (items.length === 0) return [];
  if (name === "ul") return [{ ul: items }];
  const start = Number(attribs.start);
  const type = listTypes[attribs.type ?? ""];
  return [{
    ol: items,
    ...(Number.isInteger(start) && start > 0 ? { start } : {}),
    ...(type ? { type } : {}),
  }];
}

function makeImage({ attribs }: Element, style: TextStyle, images: Images): Block[] {
  const image = images.get(attribs.src ?? "");
  if (image === undefined) return [];
  const [width, height] = [parsePoints(attribs.width), parsePoints(attribs.height)];
  const size = width && height
    ? { width: Math.min(width, widest), height: Math.min(height, highest) }
    : width
    ? { width: Math.min(width, widest) }
    : { fit: [widest, height ? Math.min(height, highest) : highest] as [number, number] };
  return [{ image, ...size, ...describeAlignment(style) }];
}

/**
 * Most characters of a word that the layout may break itself. Its time grows with the square of their number.
 */
const longestWord = 60;

/** Splits words that are too long for a line. */
function breakable(text: string): string[] {
  if (text.length <= longestWord) return [text];
  return text.split(new RegExp(`(\\S{${longestWord}})(?=\\S)`, "u")).filter((part) => part !== "");
}

function describeAlignment({ alignment }: TextStyle) {
  return alignment === undefined ? {} : { alignment };
}

/** Removes white space at the ends, and spaces after a space or a line break. */
function trimRuns(runs: readonly Run[]): Run[] {
  const kept: Run[] = [];
  let isStart = true;
  for (const run of runs) {
    let text = run.text;
    if (!run.preserveLeadingSpaces) {
      if (isStart) text = text.replace(/^ +/, "");
      if (text === "") continue;
      isStart = text.endsWith("\n") || text.endsWith(" ");
    }
    kept.push({ ...run, text });
  }
  while (kept.length > 0) {
    const last = kept.at(-1)!;
    const text = last.text.trimEnd();
    if (text !== "") {
      kept[kept.length - 1] = { ...last, text };
      break;
    }
    kept.pop();
  }
  return kept;
}

export function isElement(node: ChildNode): node is Element {
  return node.type === "tag";
}
