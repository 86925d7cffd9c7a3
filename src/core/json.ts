/**
 * JSON that is built as text. Each part is serialised once: records have long parts that never change (the
 * options of a country field), and the same text goes into answers, idempotency keys and webhooks.
 */

declare const valueType: unique symbol;

/** A long part that many texts share. */
export interface Constant {
  /** A hash of the text. */
  readonly name: string;
  readonly text: string;
  /** True for a part of the program; false if a company defines it, such as the options of a field. */
  readonly shared: boolean;
}

const none: readonly Constant[] = [];

/**
 * Finished JSON of a value of type `T`. Its tag is the text with names in place of its constants: the stored
 * form, and the source of entity tags. Records in lists need neither tag nor constants, so both can be given
 * as functions: one returns the tag, the other returns the parts that have constants. Each runs at most once.
 */
export class Json<T = unknown> {
  /** The type of the value; only the compiler knows it. */
  declare readonly [valueType]: T;
  /** Whether the tag is the text. */
  readonly isPlain: boolean;
  #tag: string | (() => string);
  #constants: readonly Constant[] | (() => readonly unknown[]);

  constructor(
    readonly text: string,
    tag: string | (() => string) = text,
    constants: readonly Constant[] | (() => readonly unknown[]) = none,
  ) {
    this.isPlain = tag === text;
    this.#tag = tag;
    this.#constants = constants;
  }

  get tag(): string {
    if (typeof this.#tag === "function") this.#tag = this.#tag();
    return this.#tag;
  }

  get constants(): readonly Constant[] {
    if (typeof this.#constants === "function") {
      this.#constants = this.#constants().flatMap((part) => part instanceof Json ? part.constants : []);
    }
    return this.#constants;
  }

  /** Leaves a place for the text in a value that `jsonOf` serialises. */
  toJSON(): string {
    if (placed === null) throw new TypeError("finished JSON is placed with jsonOf(), object() or list()");
    placed.push(this);
    return mark ??= crypto.randomUUID();
  }
}

/** The finished parts of the value that `jsonOf` serialises, in order. */
let placed: Json[] | null = null;

/** Stands for a finished part. No text of a user has it; made late, because Workers start without randomness. */
let mark: string | null = null;

/** Returns the JSON of a body: plain values, which may hold finished parts placed by `placePart`. */
export function jsonOf<T>(value: T | Json<T>): Json<T> {
  if (value instanceof Json) return value;
  const parts: Json[] = [];
  placed = parts;
  try {
    const text = JSON.stringify(value);
    if (parts.length === 0) return new Json(text);
    const between = text.split(`"${mark}"`);
    return joined(between.flatMap((piece, index) => parts[index] ? [piece, parts[index]] : [piece]));
  } finally {
    placed = null;
  }
}

/** Places finished JSON as a member of a plain value. Only `jsonOf` reads it; it looks like its value. */
export function placePart<T>(part: Json<T>): T {
  const value: unknown = part;
  return value as T;
}

/** Values that JSON can express. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

/** The type of a part's value: for finished JSON the type that it has, otherwise its own type. */
export type ValueOf<P> = P extends Json<infer T> ? T : P;

/** Builds an object of plain values and finished parts. Nest by calling it for the inner object. */
export function object<F extends Readonly<Record<string, Plain | Json>>>(
  fields: F,
): Json<{ readonly [K in keyof F]: ValueOf<F[K]> }> {
  let text = "";
  let isPlain = true;
  for (const key in fields) {
    const value = fields[key]!;
    text += (text === "" ? '{"' : ',"') + key + '":';
    if (value instanceof Json) {
      text += value.text;
      if (!value.isPlain) isPlain = false;
    } else text += JSON.stringify(value);
  }
  if (text === "") return new Json("{}");
  if (isPlain) return new Json(text + "}");
  return new Json(text + "}", () => {
    const members = Object.entries(fields)
      .map(([key, value]) => `"${key}":${value instanceof Json ? value.tag : JSON.stringify(value)}`);
    return `{${members.join(",")}}`;
  }, () => Object.values(fields));
}

/** Appends members to a finished object. */
export function extended<T, M extends Readonly<Record<string, Plain | Json>>>(of: Json<T>, more: M) {
  const added = object(more);
  const text = `${of.text.slice(0, -1)},${added.text.slice(1)}`;
  return new Json<T & ValueOf<typeof added>>(
    text,
    of.isPlain && added.isPlain ? text : () => `${of.tag.slice(0, -1)},${added.tag.slice(1)}`,
    () => [of, added],
  );
}

/** Builds a list of finished parts. */
export function list<T>(items: readonly Json<T>[]): Json<readonly T[]> {
  let text = "[";
  let isPlain = true;
  for (const item of items) {
    text += text === "[" ? item.text : `,${item.text}`;
    if (!item.isPlain) isPlain = false;
  }
  text += "]";
  return isPlain ? new Json(text) : new Json(text, () => `[${items.map(({ tag }) => tag)}]`, () => items);
}

/**
 * Builds a list of objects that differ in one member and in the members of `along`. Each object has the
 * members of `before`, the member `name`, the members of its item of `along`, and those of `after`.
 * Serialises shared members once, and builds no object per item. The tag of each part must be its text.
 */
export function listAlong<B, N extends string, V extends Plain, A, E>(
  before: Json<B>,
  name: N,
  values: readonly V[],
  along: readonly Json<A>[],
  after: Json<E>,
): Json<readonly (B & { readonly [K in N]: V } & A & E)[]> {
  const open = `${before.text.slice(0, -1)},"${name}":`;
  const close = after.text === "{}" ? "}" : `,${after.text.slice(1)}`;
  const pieces: string[] = [];
  values.forEach((value, index) => {
    pieces.push(
      index === 0 ? "[" : ",",
      open,
      JSON.stringify(value),
      ",",
      along[index]!.text.slice(1, -1),
      close,
    );
  });
  return new Json(pieces.length === 0 ? "[]" : `${pieces.join("")}]`);
}

/** Joins lists of records into one. The tag of each list must be its text. */
export function flatList<T>(lists: readonly Json<readonly T[]>[]): Json<readonly T[]> {
  const texts = lists.map(({ text }) => text.slice(1, -1));
  return new Json(`[${texts.filter((text) => text !== "").join(",")}]`);
}

/** Joins pieces of JSON text and finished parts. */
export function joined<T>(parts: readonly (string | Json)[]): Json<T> {
  let text = "";
  let isPlain = true;
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else {
      text += part.text;
      if (!part.isPlain) isPlain = false;
    }
  }
  if (isPlain) return new Json(text);
  return new Json(
    text,
    () => parts.map((part) => typeof part === "string" ? part : part.tag).join(""),
    () => parts,
  );
}

/** Serialises a plain value. */
export function plain<T extends Plain>(value: T): Json<T> {
  return new Json(JSON.stringify(value));
}
