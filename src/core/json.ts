/**
 * JSON that is built as text. Records have long parts that never change (the options of a country field), and
 * the same text goes into answers, idempotency keys and webhooks. So each part is serialised once.
 */

import { BoundedMap } from "./bounded_map.ts";

declare const valueType: unique symbol;

/**
 * Finished JSON of a value of type `T`. Its tag is the same text with names for long constant parts: the stored form, and the source
 * of entity tags. See `constant` and `expand`.
 */
export class Json<T = unknown> {
  /** The type of the value; only the compiler knows it. */
  declare readonly [valueType]: T;

  constructor(readonly text: string, readonly tag: string = text) {}
  toJSON(): never {
    throw new TypeError("finished JSON is placed with object() or list()");
  }
}

/** Encloses the name of a constant in a tag. JSON never contains this character. */
const mark = "\u0001";
const marked = new RegExp(`${mark}([0-9a-f]+)${mark}`, "g");
/** Constants of the program. */
const constants = new Map<string, string>();
/**
 * Constants of companies, such as the options of a field. Their number has no limit, so only the last used
 * are cached.
 */
const made = new BoundedMap<string>(64 * 1024 * 1024);

/** A long part that many texts share. `name`: a hex hash of it. */
export function constant(name: string, text: string): Json {
  constants.set(name, text);
  return new Json(text, mark + name + mark);
}

/** The same for a part that a company defines. Call `used` before each use. */
export function madeConstant(name: string, text: string): Json {
  return used(new Json(text, mark + name + mark));
}

/** Returns the constant and caches it until newer constants replace it. */
export function used<T>(constant: Json<T>): Json<T> {
  const name = constant.tag.slice(1, -1);
  if (made.get(name) === undefined) made.set(name, constant.text, 2 * (name.length + constant.text.length));
  return constant;
}

/** Returns a constant that this process knows, else null. `shared`: part of the program. */
export interface Constant {
  readonly text: string;
  readonly shared: boolean;
}

/** Returns the names of the constants in a tag. */
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

/** Returns the text of a tag. This process must know its constants. */
export function expand(tag: string): string {
  return tag.includes(mark) ? tag.replaceAll(marked, (_, name: string) => textOf(name)!) : tag;
}

/** Values that JSON can express. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

/** The value of a part: of finished JSON its type, else its own. */
export type ValueOf<P> = P extends Json<infer T> ? T : P;

/** Builds an object of plain values and finished parts. Nest by calling it for the inner object. */
export function object<F extends Readonly<Record<string, Plain | Json>>>(
  fields: F,
): Json<{ readonly [K in keyof F]: ValueOf<F[K]> }> {
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

/** Builds a list of finished parts. */
export function list<T>(items: readonly Json<T>[]): Json<readonly T[]> {
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

/** Serialises a plain value. */
export function plain<T extends Plain>(value: T): Json<T> {
  return new Json(JSON.stringify(value));
}
