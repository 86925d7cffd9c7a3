/**
 * JSON of bodies. Presenters return plain objects, and the JSON of each is made once, where an answer or an
 * event is written. Long parts that many bodies share, such as the options of a country field, are serialised
 * once: the body has a mark in the place of each, which is filled in at the end.
 */
import { BoundedMap } from "./bounded_map.ts";

declare const valueType: unique symbol;

/** A long part that many bodies share. */
export interface Constant {
  /** A hash of the text, in 40 hexadecimal digits. */
  readonly name: string;
  readonly text: string;
  /** True for a part of the program; false if a company defines it, such as the options of a field. */
  readonly shared: boolean;
}

export const nameLength = 40;

type Bytes = Uint8Array<ArrayBuffer>;

/** Written JSON of a value of type `T`. */
export class Json<T = unknown> {
  /** The type of the value; only the compiler knows it. */
  declare readonly [valueType]: T;
  /** What makes up the text, in order. */
  readonly pieces: readonly (string | Constant)[];
  /** The value that was written; undefined for JSON that was stored. */
  readonly value: T | undefined;
  #text: string | null = null;
  #tag: string | null;

  /** `tag`: the stored form, when it is another than the pieces have. */
  constructor(
    pieces: string | readonly (string | Constant)[],
    { value, tag = null }: { readonly value?: T; readonly tag?: string | null } = {},
  ) {
    this.pieces = typeof pieces === "string" ? [pieces] : pieces;
    this.value = value;
    this.#tag = tag;
  }

  get text(): string {
    return this.#text ??= this.pieces.map(readPiece).join("");
  }

  /** The text with names in place of its constants: the stored form, and the source of entity tags. */
  get tag(): string {
    return this.#tag ??= this.constants.length === 0
      ? this.text
      : this.pieces.map((piece) => typeof piece === "string" ? piece : markStored(piece)).join("");
  }

  get constants(): readonly Constant[] {
    return this.pieces.filter((piece) => typeof piece !== "string");
  }

  /** Characters of the text. */
  get length(): number {
    return this.pieces.reduce((sum, piece) => sum + readPiece(piece).length, 0);
  }

  /** Returns the text as UTF-8. Constants are copied: with many of them this takes a third of the time of the text. */
  encode(): Bytes {
    return encodePieces(
      this.pieces.map((piece) => typeof piece === "string" ? piece : encodeConstant(piece)),
    );
  }

  /** Returns the text as UTF-8 in parts of about so many characters. Each is made when it is asked for. */
  *encodeInParts(part: number): Iterable<Bytes> {
    let waiting: (string | Bytes)[] = [];
    let size = 0;
    for (const piece of this.pieces) {
      const whole = typeof piece === "string" ? piece : encodeConstant(piece);
      for (let from = 0; from < whole.length;) {
        let to = from + part;
        // A pair of surrogates is one character.
        if (typeof whole === "string" && isHighSurrogate(whole.charCodeAt(to - 1))) to++;
        const taken = typeof whole === "string" ? whole.slice(from, to) : whole.subarray(from, to);
        waiting.push(taken);
        size += taken.length;
        from = to;
        if (size < part) continue;
        yield encodePieces(waiting);
        [waiting, size] = [[], 0];
      }
    }
    if (size > 0) yield encodePieces(waiting);
  }
}

function readPiece(piece: string | Constant): string {
  return typeof piece === "string" ? piece : piece.text;
}

const encoder = new TextEncoder();
const encodedConstants = new WeakMap<Constant, Bytes>();

function encodeConstant(constant: Constant): Bytes {
  const known = encodedConstants.get(constant);
  if (known) return known;
  const bytes = encoder.encode(constant.text);
  encodedConstants.set(constant, bytes);
  return bytes;
}

function encodePieces(pieces: readonly (string | Bytes)[]): Bytes {
  // A UTF-16 unit takes three bytes of UTF-8 at most.
  const most = pieces.reduce(
    (sum, { length }, n) => sum + (typeof pieces[n] === "string" ? 3 * length : length),
    0,
  );
  const bytes = new Uint8Array(most);
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") {
      at += encoder.encodeInto(piece, bytes.subarray(at)).written;
    } else {
      bytes.set(piece, at);
      at += piece.length;
    }
  }
  return bytes.subarray(0, at);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

/** Returns the JSON of a value, which may be written already. */
export function toJson<T>(value: T | Json<T>): Json<T> {
  if (value instanceof Json) return value;
  const marked = JSON.stringify(value);
  const [first, ...others] = mark === null ? [marked] : marked.split(mark) as [string, ...string[]];
  if (others.length === 0) return new Json([marked], { value });
  const pieces: (string | Constant)[] = [first];
  for (const piece of others) {
    pieces.push(constantNamed(piece.slice(0, nameLength), value), piece.slice(nameLength + markEnd.length));
  }
  return new Json(pieces, { value });
}

/** Returns the JSON of `{data, …}` with these records. */
export function writeRecords<T, M extends object>(
  records: readonly Json<T>[],
  more: M,
): Json<{ readonly data: readonly T[] } & M> {
  const pieces: (string | Constant)[] = ['{"data":['];
  for (const record of records) {
    if (pieces.length > 1) pieces.push(",");
    pieces.push(...record.pieces);
  }
  const rest = toJson(more).text;
  pieces.push("]", rest === "{}" ? "}" : `,${rest.slice(1)}`);
  // Not joined here: a long text takes long to make, so large answers are encoded piece by piece.
  return new Json(pieces);
}

/** Precedes the name of a constant in a stored body. `JSON.stringify` never writes `\/`. */
export const storedMark = '"\\/';

function markStored({ name }: Constant): string {
  return `${storedMark}${name}"`;
}

/**
 * Precedes the name of a constant where the body has the constant. No text of a user has it. Made late, because
 * Workers start without randomness.
 */
let mark: string | null = null;
const markEnd = '"}';

/** The constants by what stands for them in bodies. */
const constants = new WeakMap<object, Constant>();
/** The constants of the program by name. */
const sharedConstants = new Map<string, Constant>();
/** Constants of companies that were used lately, by name. */
const companyConstants = new BoundedMap<Constant>(64 * 1024 * 1024);

/** Returns an object that stands for a constant in bodies. It looks like the value of the constant. */
export function placeConstant<T>(constant: Constant): T {
  const key = `\x7f${secret ??= crypto.randomUUID()}`;
  mark ??= `{"${key}":"`;
  const place: unknown = Object.freeze({ [key]: constant.name });
  constants.set(place as object, constant);
  remember(constant);
  return place as T;
}

let secret: string | null = null;

function remember(constant: Constant): void {
  if (constant.shared) sharedConstants.set(constant.name, constant);
  // The text, and its bytes once an answer has it.
  else companyConstants.set(constant.name, constant, 2 * constant.text.length);
}

/** Returns a constant that `value` has. One that was not used lately is found in the value itself. */
function constantNamed(name: string, value: unknown): Constant {
  const known = sharedConstants.get(name) ?? companyConstants.get(name);
  if (known) return known;
  const found = findConstant(name, value);
  if (!found) throw new Error(`no constant ${name}`);
  remember(found);
  return found;
}

function findConstant(name: string, value: unknown): Constant | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const constant = constants.get(value);
  if (constant?.name === name) return constant;
  for (const part of Object.values(value)) {
    const found = findConstant(name, part);
    if (found) return found;
  }
  return undefined;
}

/** Values that JSON can express. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };
