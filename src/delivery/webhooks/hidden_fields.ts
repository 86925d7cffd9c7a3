/** Removes custom values that a subscription's user may not see from a body before it is sent. */

/**
 * Returns the body without the custom fields of these ids (a JSON list, or null): byte by byte what GET
 * returns to that user.
 */
export function withoutFields(body: string, hidden: string | null): string {
  if (hidden === null) return body;
  let left = body;
  for (const id of JSON.parse(hidden) as string[]) {
    const start = `{"id":${JSON.stringify(id)},"type":"`;
    for (let at = left.indexOf(start); at >= 0; at = left.indexOf(start, at)) left = cutItem(left, at);
  }
  return left;
}

/** Removes the object that starts at `from` from its list, with one comma. */
function cutItem(text: string, from: number): string {
  const end = endOf(text, from);
  if (text[end] === ",") return text.slice(0, from) + text.slice(end + 1);
  return text.slice(0, text[from - 1] === "," ? from - 1 : from) + text.slice(end);
}

/** Returns the position after the closing brace of the object. */
function endOf(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (quoted) {
      if (letter === "\\") at++;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === "{") depth++;
    else if (letter === "}" && --depth === 0) return at + 1;
  }
  return text.length;
}
