/** Items of lists in written JSON. */

/** Removes the object that starts at `from` from its list, with one comma. It must be an object. */
export function cutItem(text: string, from: number): string {
  const end = findObjectEnd(text, from);
  if (text[end] === ",") return text.slice(0, from) + text.slice(end + 1);
  return text.slice(0, text[from - 1] === "," ? from - 1 : from) + text.slice(end);
}

/** Returns the position after the closing brace of the object. */
export function findObjectEnd(text: string, from: number): number {
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
