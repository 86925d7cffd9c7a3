/** The lines of `lead_data` in requests. The type of a line determines the shape of its value. */
import { z } from "zod";
import { sanitizeLeadHtml } from "../../core/html.ts";
import { html, lineText, text } from "../../http/zod.ts";
import { type LeadDataLine, lineTypes } from "../case_parts/schema.ts";

type Value = LeadDataLine["value"];

const longest = 65_535;
/** A line of a request. HTML is reduced to b, strong, i, em, blockquote and br, without attributes. */
export const LeadDataInput = z.object({
  key: lineText(255).nullish(),
  value: z.union([html(text(longest)), z.array(html(text(longest))), z.array(z.array(html(text(longest))))]),
  type: z.enum(lineTypes).nullish(),
}).transform(({ key, value, type }, ctx): LeadDataLine => {
  const kind = type ?? "string";
  const name = sanitizeLeadHtml(key ?? "");
  const refuse = (code: string, path: string, message: string) =>
    ctx.addIssue({ code: "custom", message, params: { code }, path: [path] });
  if (name === "" && kind !== "heading") {
    const code = key === null || key === undefined ? "required" : "min";
    refuse(code, "key", "A key is required, except for a heading.");
  }
  if (!fits[kind](value)) refuse("type", "value", shapes[kind]);
  return { key: name, value: sanitizeValue(value), type: kind };
}).meta({
  id: "LeadDataInput",
  description: "`value` is a string; for `list` a list of strings; for `table` rows of strings.",
  example: { key: "Extras", value: ["Tow bar", "Roof rack"], type: "list" },
});

const isText = (value: Value) => typeof value === "string";
const fits: Readonly<Record<LeadDataLine["type"], (value: Value) => boolean>> = {
  string: isText,
  heading: isText,
  list: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
  table: (value) => Array.isArray(value) && value.every((row) => Array.isArray(row)),
};

const shapes: Readonly<Record<LeadDataLine["type"], string>> = {
  string: "Must be a string.",
  heading: "Must be a string.",
  list: "Must be a list of strings.",
  table: "Must be a list of rows, each a list of strings.",
};

function sanitizeValue(value: Value): Value {
  if (typeof value === "string") return sanitizeLeadHtml(value);
  return value.map((item) =>
    typeof item === "string" ? sanitizeLeadHtml(item) : item.map(sanitizeLeadHtml)
  ) as
    | string[]
    | string[][];
}
