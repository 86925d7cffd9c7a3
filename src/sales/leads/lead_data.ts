/** The lines of `lead_data` in requests. The type of a line determines the shape of its value. */
import { z } from "zod";
import { fieldError, invalid } from "../../core/errors.ts";
import { text } from "../../http/zod.ts";
import { type LeadDataLine, lineTypes } from "../case_parts/schema.ts";

type Value = LeadDataLine["value"];

const longest = 65_535;
const keyless = "A key is required, except for a heading.";

/** A line of a request. `cleanLines` cleans its HTML. */
export const LeadDataInput = z.object({
  key: text(255).nullish(),
  value: z.union([text(longest), z.array(text(longest)), z.array(z.array(text(longest)))]),
  type: z.enum(lineTypes).nullish(),
}).transform(({ key, value, type }, ctx): LeadDataLine => {
  const kind = type ?? "string";
  const refuse = (code: string, path: string, message: string) =>
    ctx.addIssue({ code: "custom", message, params: { code }, path: [path] });
  if (!key && kind !== "heading") refuse(key === "" ? "min" : "required", "key", keyless);
  if (!fits[kind](value)) refuse("type", "value", shapes[kind]);
  return { key: key ?? "", value, type: kind };
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

/**
 * Reduces the HTML of lines to b, strong, i, em, blockquote and br, without attributes. Throws 422 for a key of which
 * nothing is left.
 */
export async function cleanLines(lines: readonly LeadDataLine[]): Promise<readonly LeadDataLine[]> {
  if (!lines.some(({ key, value }) => hasTag(key) || hasTag(value))) return lines;
  const { cleanLeadHtml } = await import("../../core/sanitizer.ts");
  const cleaned = lines.map(({ key, value, type }) => ({
    key: cleanLeadHtml(key),
    value: mapTexts(value, cleanLeadHtml),
    type,
  }));
  const errors = cleaned.flatMap(({ key, type }, index) =>
    key === "" && type !== "heading" ? [fieldError(`lead_data[${index}].key`, "min", keyless)] : []
  );
  if (errors.length > 0) throw invalid(...errors);
  return cleaned;
}

function hasTag(value: Value): boolean {
  return typeof value === "string" ? value.includes("<") : value.some(hasTag);
}

function mapTexts(value: Value, change: (text: string) => string): Value {
  if (typeof value === "string") return change(value);
  return value.map((item) => mapTexts(item, change)) as string[] | string[][];
}
