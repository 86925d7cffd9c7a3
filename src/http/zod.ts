/** Schemas that many endpoints share, for values of requests. */
import { z } from "zod";
import { findExcess } from "../core/html_limits.ts";
import { isUuid } from "../core/ids.ts";
import { addScheme, controlsRule, hasControls, isEmail, isHttpUrl, trimLine } from "../core/lines.ts";
import { isLonger } from "../core/text.ts";
import { formatTimestamp, parseDate, parseTimestamp } from "../core/time.ts";
import { refusal } from "./validate.ts";

/**
 * A value, or an object that has it under `key`, as answers show it: what GET answers, PUT takes. Other members
 * of the object are ignored.
 */
export const orShown = <T extends z.ZodType>(key: string, schema: T) =>
  z.union([schema, z.object({ [key]: schema }).transform((shown) => shown[key] as z.output<T>)]);

/** Optional and clearable: absent keeps the value (or takes the default), null clears it. */
export const optional = <T extends z.ZodType>(schema: T) => schema.nullish();

/** Text of at most `max` characters. Empty text counts as a value. */
export const text = memoizeSchemas((max) =>
  z.string().refine((value) => !isLonger(value, max), {
    ...refusal("max", `At most ${max} characters.`),
    abort: true,
  }).meta({ maxLength: max })
);

/** Text of at least `min` characters. */
export const longText = memoizeSchemas((min, max: number) =>
  text(max).refine(
    (value) => isLonger(value, min - 1),
    refusal("min", min === 1 ? "At least 1 character." : `At least ${min} characters.`),
  ).meta({ minLength: min })
);

/** HTML that can be cleaned. */
export const html = <T extends z.ZodType<string>>(schema: T): T =>
  schema.superRefine((value, ctx) => {
    const excess = findExcess(value);
    if (excess !== null) ctx.addIssue({ code: "custom", message: excess, params: { code: "max" } });
  });

/** Text with at least one visible character. */
export const filledText = memoizeSchemas((max) =>
  longText(1, max).refine(
    (value) => value === "" || trimLine(value) !== "",
    refusal("min", "Must be more than white space."),
  )
);

/** Text of one line, possibly empty, without white space at its ends. */
export const lineText = memoizeSchemas((max) => oneLine(text(max)).meta({ maxLength: max }));

/** Text of one line with at least one visible character, without white space at its ends. */
export const filledLine = memoizeSchemas((max) =>
  oneLine(longText(1, max)).meta({ minLength: 1, maxLength: max })
);

function oneLine(schema: z.ZodType<string, string>) {
  return z.string().transform((given) => trimLine(given)).pipe(
    schema.refine((value) => !hasControls(value), { ...refusal("format", controlsRule), abort: true }),
  );
}

/**
 * Returns the same schema for the same sizes. Schemas never change, and the endpoints share a few dozen sizes
 * in hundreds of fields: a start makes a sixth fewer schemas.
 */
function memoizeSchemas<S, Sizes extends [number, ...number[]]>(
  make: (...sizes: Sizes) => S,
): (...sizes: Sizes) => S {
  const made = new Map<string, S>();
  return (...sizes) => {
    const name = sizes.join();
    const schema = made.get(name) ?? make(...sizes);
    made.set(name, schema);
    return schema;
  };
}

export const uuid = z.string().refine(isUuid, refusal("type", "Must be a UUID.")).transform((id) =>
  id.toLowerCase()
)
  .meta({ format: "uuid", example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001" });

export const integerId = z.int("Must be an integer id.")
  .refine((id) => id > 0, refusal("type", "Must be an integer id."))
  .meta({ minimum: 1, example: 12 });

/** An integer id; 0 and null mean that there is none. */
export const integerIdOrNone = z.int("Must be an integer id.")
  .refine((id) => id >= 0, refusal("type", "Must be an integer id."))
  .transform((id) => id === 0 ? null : id).nullish()
  .meta({ minimum: 0, example: 12 });

/** A timestamp of a request, as `Y-m-d H:i:s` in UTC. */
export const timestamp = z.string().transform((value, ctx) => {
  const ms = parseTimestamp(value);
  if (ms !== null) return formatTimestamp(ms);
  ctx.addIssue({
    code: "custom",
    message: "Must be a timestamp that exists: Y-m-d H:i:s in UTC, or RFC 3339.",
    params: { code: "format" },
  });
  return z.NEVER;
}).meta({ example: "2026-01-31 10:00:00" });

/** The backdated creation time of a new record; null and absent mean now. */
export const makeBackdatedTime = (what: string) =>
  optional(timestamp).transform((at) => at ?? undefined)
    .meta({ description: `Backdates the ${what}; not in the future.`, example: "2026-01-31 10:00:00" });

/** A boolean; null resets it to its default. */
export const flag = (otherwise: boolean) =>
  optional(z.boolean()).transform((value) => value ?? otherwise).meta({ default: otherwise });

/** A date of a request, `Y-m-d`. */
export const date = z.string().refine(
  (value) => parseDate(value) !== null,
  refusal("format", "Must be a date that exists, as Y-m-d."),
).meta({ format: "date", example: "2026-01-31" });

/** An e-mail address of a request. */
export const email = lineText(100).refine(isEmail, refusal("format", "Must be an e-mail address.")).meta({
  maxLength: 100,
  format: "email",
  example: "ada@example.org",
});

/** A phone number, stored as typed. Empty text counts as none. */
export const phoneNumber = lineText(255).refine(
  (value) => value === "" || /\p{N}/u.test(value),
  refusal("format", "Must have a digit."),
);

/** An absolute http or https URL of a request; one without a scheme gets `https://`. */
export const url = z.string().transform((given) => addScheme(trimLine(given)))
  .pipe(lineText(255).refine(isHttpUrl, refusal("format", "Must be an http or https URL.")))
  .meta({ maxLength: 255, format: "uri", example: "https://example.org" });

// Query parameters: text that is parsed to other types.

/** The most values of a list in a query; fewer for UUIDs, because the head of a request has 16 KiB. */
const mostListed = 500;
const mostUuids = 250;

const describeList = (most: number) =>
  `Separated by commas, or the parameter repeated; at most ${most} values.`;

const several = (most: number, partsOf = splitAtCommas) =>
  z.union([z.string(), z.array(z.string())])
    .transform((value) => (Array.isArray(value) ? value : [value]).flatMap(partsOf))
    .transform((parts) => parts.filter((part) => part !== ""))
    .refine((parts) => parts.length <= most, { ...refusal("max", `At most ${most} values.`), abort: true });

function splitAtCommas(text: string): string[] {
  return text.split(",").map((part) => part.trim());
}

/** A part between commas: in quotes, or up to the next comma. */
const quotable = /\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/g;

/** Splits a list as in CSV: quotes around a part keep its commas, and a quote inside is doubled. */
function splitQuoted(text: string): string[] {
  return [...text.matchAll(quotable)].map(([, quoted, plain = ""]) =>
    quoted?.replaceAll('""', '"') ?? plain.trim()
  );
}

/** A list of texts: `a,b`, or the parameter repeated; a text with a comma is in quotes. */
export const csv = several(mostListed, splitQuoted).meta({
  type: "string",
  description: `${describeList(mostListed)} A value with a comma is in double quotes.`,
  example: "a,b",
});

/** A list of one or more of the values. */
export const makeCsvEnum = <V extends string>(values: readonly V[]) =>
  csv.refine(
    (given) => given.length > 0 && given.every((each) => values.some((value) => value === each)),
    refusal("enum", `Each must be one of ${values.join(", ")}.`),
  ).transform((given) => given as V[]);

export const csvIntegers = several(mostListed).transform((parts, ctx) =>
  parts.map((part, index) => {
    if (/^-?\d{1,15}$/.test(part)) return Number(part);
    ctx.addIssue({
      code: "custom",
      message: "Must be an integer with at most 15 digits.",
      params: { code: "type" },
      path: [index],
    });
    return 0;
  })
).meta({ type: "string", description: describeList(mostListed), example: "1,2" });

/** A list of as many values as one of UUIDs, which it can be with other words. */
export const csvWithUuids = several(mostUuids);

export const csvUuids = csvWithUuids.transform((parts, ctx) =>
  parts.map((part, index) => {
    if (!isUuid(part)) {
      ctx.addIssue({
        code: "custom",
        message: "Must be a list of UUIDs.",
        params: { code: "type" },
        path: [index],
      });
    }
    return part.toLowerCase();
  })
).meta({
  type: "string",
  description: describeList(mostUuids),
  example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001",
});

const booleans: Record<string, boolean> = { true: true, "1": true, false: false, "0": false };

export const queryBoolean = z.string()
  .refine((value) => value.toLowerCase() in booleans, refusal("type", "Must be true, false, 1 or 0."))
  .transform((value) => booleans[value.toLowerCase()]!)
  .meta({ type: "boolean", example: true });

/** An integer of the query, from `min` to `max`. */
export const queryInteger = (min: number, max: number) =>
  z.string().transform((value, ctx) => {
    const number = /^-?\d{1,15}$/.test(value) ? Number(value) : NaN;
    const fault = Number.isNaN(number) ? "type" : number < min ? "min" : number > max ? "max" : null;
    if (fault === null) return number;
    ctx.addIssue({
      code: "custom",
      message: `Must be an integer from ${min} to ${max}.`,
      params: { code: fault },
    });
    return z.NEVER;
  }).meta({ type: "integer", minimum: min, maximum: max });

/** Adds a check that the field `end` is after the field `start` when a query has both. */
export function requireOrder<T extends z.ZodType>(schema: T, start: string, end: string): T {
  return schema.refine((value) => {
    const { [start]: from, [end]: to } = value as Record<string, unknown>;
    return typeof from !== "string" || typeof to !== "string" || to > from;
  }, { ...refusal("after", `Must be after ${start}.`), path: [end] });
}
