/**
 * JSON that is built as text. Records carry long parts that never change (the options of a country
 * field), and the same text is answered, kept and sent to webhooks: so it is written once, by parts.
 */

/** A piece of finished JSON. */
export class Json {
  constructor(readonly text: string) {}
  toJSON(): never {
    throw new TypeError("finished JSON is placed with object() or list()");
  }
}

/** What JSON can say by itself. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

/** An object of plain values and finished parts, one level deep; nest by calling it again. */
export function object(fields: Readonly<Record<string, Plain | Json>>): Json {
  let text = "{";
  for (const key in fields) {
    const value = fields[key]!;
    text += text.length > 1 ? ',"' + key + '":' : '"' + key + '":';
    text += value instanceof Json ? value.text : JSON.stringify(value);
  }
  return new Json(text + "}");
}

/** A list of finished parts. */
export function list(items: readonly Json[]): Json {
  let text = "[";
  for (let index = 0; index < items.length; index++) text += (index > 0 ? "," : "") + items[index]!.text;
  return new Json(text + "]");
}

/** A plain value as finished JSON. */
export function plain(value: Plain): Json {
  return new Json(JSON.stringify(value));
}
