/**
 * JSON that is built as text. Records carry long parts that never change (the options of a country
 * field), and the same text is answered, kept and sent to webhooks: so it is written once, by parts.
 */

/**
 * A piece of finished JSON. Its tag stands for the text where versions are told apart: shorter, since it
 * leaves long parts out that never change while the process runs, and different whenever the text is.
 */
export class Json {
  constructor(readonly text: string, readonly tag: string = text) {}
  toJSON(): never {
    throw new TypeError("finished JSON is placed with object() or list()");
  }
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
  return new Json(text + "}", tag ?? undefined);
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
  return new Json(text + "]", tag ?? undefined);
}

/** A plain value as finished JSON. */
export function plain(value: Plain): Json {
  return new Json(JSON.stringify(value));
}
