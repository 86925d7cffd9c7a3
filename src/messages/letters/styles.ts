/** Converts elements and their `style` to text styles of pdfmake. */
import type { Element } from "domhandler";
import type { TextStyle } from "../../platform/pdf/pdf.ts";

/** Points. */
export const usualSize = 11;
const headings: Readonly<Record<string, number>> = { h1: 22, h2: 18, h3: 15, h4: 13, h5: 11, h6: 10 };
/** Points of the sizes 1 to 7 of `<font>`. */
const fontSizes = [8, 9, 11, 13, 17, 22, 32];

/** The style inside an element. */
export function composeStyle({ name, attribs }: Element, outer: TextStyle): TextStyle {
  return {
    ...outer,
    ...readTagStyle(name, attribs, outer),
    ...readAttributeStyle(attribs),
    ...parseStyle(attribs.style, outer),
  };
}

/** Whether a page ends before or after an element. */
export function pageBreak({ attribs }: Element, side: "before" | "after"): boolean {
  const value = declarations(attribs.style)[`page-break-${side}`] ??
    declarations(attribs.style)[`break-${side}`];
  return value === "always" || value === "page";
}

/** The background of a cell. */
export function readFill({ attribs }: Element): string | undefined {
  const { "background-color": color, background } = declarations(attribs.style);
  return parseColor(color ?? background ?? attribs.bgcolor);
}

/** A length in points; undefined for percentages and unsupported units. */
export function parsePoints(length: string | undefined, fontSize = usualSize): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(px|pt|em|rem)?$/.exec(length?.trim() ?? "") ?? [];
  if (number === undefined) return undefined;
  const factor = { pt: 1, em: fontSize, rem: usualSize, px: 0.75 }[unit ?? "px"] ?? 0.75;
  return Number(number) * factor;
}

function readTagStyle(tag: string, attribs: Element["attribs"], outer: TextStyle): TextStyle {
  const heading = headings[tag];
  if (heading !== undefined) return { bold: true, fontSize: heading };
  switch (tag) {
    case "b":
    case "strong":
    case "th":
    case "dt":
      return { bold: true };
    case "i":
    case "em":
    case "cite":
    case "var":
    case "dfn":
      return { italics: true };
    case "u":
    case "ins":
      return addDecoration(outer, "underline");
    case "s":
    case "strike":
    case "del":
      return addDecoration(outer, "lineThrough");
    case "sup":
      return { sup: true };
    case "sub":
      return { sub: true };
    case "small":
      return { fontSize: (outer.fontSize ?? usualSize) * 0.8 };
    case "mark":
      return { background: "#ffff00" };
    case "center":
      return { alignment: "center" };
    case "pre":
      return { preserveLeadingSpaces: true };
    case "a":
      return /^(?:https?|mailto|tel):/i.test(attribs.href ?? "")
        ? { link: attribs.href!, color: "#1a4fa0", ...addDecoration(outer, "underline") }
        : {};
    case "font": {
      const size = fontSizes[Number(attribs.size) - 1];
      const color = parseColor(attribs.color);
      return { ...(size === undefined ? {} : { fontSize: size }), ...(color === undefined ? {} : { color }) };
    }
    default:
      return {};
  }
}

function readAttributeStyle({ align }: Element["attribs"]): TextStyle {
  const alignment = parseAlignment(align);
  return alignment === undefined ? {} : { alignment };
}

function parseStyle(style: string | undefined, outer: TextStyle): TextStyle {
  if (style === undefined) return {};
  const given = declarations(style);
  const color = parseColor(given.color);
  const background = parseColor(given["background-color"] ?? given.background);
  const fontSize = parsePoints(given["font-size"], outer.fontSize);
  const alignment = parseAlignment(given["text-align"]);
  const weight = given["font-weight"];
  const line = given["text-decoration"] ?? "";
  return {
    ...(color === undefined ? {} : { color }),
    ...(background === undefined ? {} : { background }),
    ...(fontSize === undefined ? {} : { fontSize: Math.min(Math.max(fontSize, 4), 200) }),
    ...(alignment === undefined ? {} : { alignment }),
    ...(weight === undefined
      ? {}
      : { bold: weight === "bold" || weight === "bolder" || Number(weight) >= 600 }),
    ...(given["font-style"] === undefined ? {} : { italics: given["font-style"] !== "normal" }),
    ...(line.includes("underline") ? addDecoration(outer, "underline") : {}),
    ...(line.includes("line-through") ? addDecoration(outer, "lineThrough") : {}),
  };
}

function addDecoration({ decoration = [] }: TextStyle, line: "underline" | "lineThrough"): TextStyle {
  return { decoration: decoration.includes(line) ? decoration : [...decoration, line] };
}

function parseAlignment(value: string | undefined): TextStyle["alignment"] {
  const word = value?.trim().toLowerCase();
  return word === "left" || word === "right" || word === "center" || word === "justify" ? word : undefined;
}

/** Colours as pdfmake takes them: names, and hexadecimal ones without transparency. */
function parseColor(value: string | undefined): string | undefined {
  const color = value?.trim().toLowerCase() ?? "";
  if (/^#(?:[\da-f]{3}|[\da-f]{6})$/.test(color)) return color;
  if (/^[a-z]{3,20}$/.test(color) && color !== "transparent" && color !== "inherit") return color;
  const [, red, green, blue] = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/.exec(color) ?? [];
  if (red === undefined) return undefined;
  const parts = [red, green, blue].map((part) => Math.min(255, Number(part)).toString(16).padStart(2, "0"));
  return `#${parts.join("")}`;
}

function declarations(style: string | undefined): Readonly<Record<string, string>> {
  const given: Record<string, string> = {};
  for (const declaration of (style ?? "").split(";")) {
    const colon = declaration.indexOf(":");
    if (colon > 0) {
      given[declaration.slice(0, colon).trim().toLowerCase()] = declaration.slice(colon + 1).trim();
    }
  }
  return given;
}
