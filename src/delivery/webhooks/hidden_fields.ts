/** Custom values that a subscription's user may not see are taken out of a body before it is sent. */

/**
 * The body without the custom fields of these ids (a JSON list; null: none): byte by byte what GET answers
 * to who does not see them.
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

/** Cuts the object that starts at `from` out of its list, with a comma beside it. */
function cutItem(text: string, from: number): string {
  const end = endOf(text, from);
  if (text[end] === ",") return text.slice(0, from) + text.slice(end + 1);
  return text.slice(0, text[from - 1] === "," ? from - 1 : from) + text.slice(end);
}

/** Behind the brace that closes the object. */
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
