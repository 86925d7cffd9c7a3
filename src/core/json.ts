/**
 * JSON that is built as text. Records carry long parts that never change (the options of a country
 * field), and the same text is answered, kept and sent to webhooks: so it is written once, by parts.
 */

import { BoundedMap } from "./bounded_map.ts";

/**
 * A piece of finished JSON. Its tag is the same text with names in the place of long constant parts: what is
 * stored, and what tells versions apart. See `constant` and `expand`.
 */
export class Json {
  constructor(readonly text: string, readonly tag: string = text) {}
  toJSON(): never {
    throw new TypeError("finished JSON is placed with object() or list()");
  }
}

/** Stands around the name of a constant in a tag: JSON itself never has this character. */
const mark = "\u0001";
const marked = new RegExp(`${mark}([0-9a-f]+)${mark}`, "g");
/** Those that are part of the program. */
const constants = new Map<string, string>();
/** Those that companies make, such as the options of a field: of any number, so the ones used last are remembered. */
const made = new BoundedMap<string>(64 * 1024 * 1024);

/** A long part that is the same in many texts. `name`: a hash of it in hex, so that it names this text alone. */
export function constant(name: string, text: string): Json {
  constants.set(name, text);
  return new Json(text, mark + name + mark);
}

/** The same of what a company has made. What keeps it must call `used` before each use. */
export function madeConstant(name: string, text: string): Json {
  return used(new Json(text, mark + name + mark));
}

/** The constant, remembered from now on: until other constants have taken its place. */
export function used(constant: Json): Json {
  const name = constant.tag.slice(1, -1);
  if (made.get(name) === undefined) made.set(name, constant.text, 2 * (name.length + constant.text.length));
  return constant;
}

/** What this process knows of a constant. `shared`: it is part of the program. */
export interface Constant {
  readonly text: string;
  readonly shared: boolean;
}

/** The names of the constants in a tag; null for one that this process does not know. */
export function constantsIn(tag: string): Map<string, Constant | null> {
  const found = new Map<string, Constant | null>();
  if (!tag.includes(mark)) return found;
  for (const [, name] of tag.matchAll(marked)) {
    const text = textOf(name!);
    found.set(name!, text === undefined ? null : { text, shared: constants.has(name!) });
  }
  return found;
}

function textOf(name: string): string | undefined {
  return constants.get(name) ?? made.get(name);
}

/** The text of a tag. Its constants must be known. */
export function expand(tag: string): string {
  return tag.includes(mark) ? tag.replaceAll(marked, (_, name: string) => textOf(name)!) : tag;
}

/** What JSON can say by itself. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

/** An object of plain values and finished parts, one level deep; nest by calling it again. */
export function object(fields: Readonly<Record<string, Plain | Json>>): Json {
  let text = "{";
  let tag: string | null = null;
  for (const key in fields) {
    const value = fields[key]!;
    const name = text.length > 1 ? ',"' + key + '":' : '"' + key + '":';
    const json = value instanceof Json ? value.text : JSON.stringify(value);
    if (tag !== null) tag += name + (value instanceof Json ? value.tag : json);
    else if (value instanceof Json && value.tag !== json) tag = text + name + value.tag;
    text += name + json;
  }
  return new Json(text + "}", tag === null ? undefined : tag + "}");
}

/** A list of finished parts. */
export function list(items: readonly Json[]): Json {
  let text = "[";
  let tag: string | null = null;
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!;
    const comma = index > 0 ? "," : "";
    if (tag !== null) tag += comma + item.tag;
    else if (item.tag !== item.text) tag = text + comma + item.tag;
    text += comma + item.text;
  }
  return new Json(text + "]", tag === null ? undefined : tag + "]");
}

/** A plain value as finished JSON. */
export function plain(value: Plain): Json {
  return new Json(JSON.stringify(value));
}
