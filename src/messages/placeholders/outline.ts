/**
 * Shortens texts for the library of placeholders, which reads them character by character. It needs to know of the
 * text between two tags only whether lines with tags have anything else, so one character stands for a part.
 */

export interface Outline {
  readonly text: string;
  /** Returns the place in the source of a place between two parts, or within a tag. */
  findSourcePlace(place: number): number;
}

/** Returns the outline of a text: its tags as they are, and what stands between them shortened. */
export function makeOutline(source: string): Outline {
  const written: string[] = [];
  /** Where each part begins, in the outline and in the source. */
  const [begins, sources]: [number[], number[]] = [[], []];
  let length = 0;
  const add = (from: number, part: string) => {
    begins.push(length);
    sources.push(from);
    written.push(part);
    length += part.length;
  };
  const addText = (from: number, text: string) => {
    const first = text.indexOf("\n");
    if (first < 0) return text === "" ? undefined : add(from, markText(text));
    const last = text.lastIndexOf("\n");
    if (first > 0) add(from, markText(text.slice(0, first)));
    add(from + first, "\n");
    // Lines without tags.
    if (last > first + 1) add(from + first + 1, "x");
    if (last > first) add(from + last, "\n");
    if (last + 1 < text.length) add(from + last + 1, markText(text.slice(last + 1)));
  };
  for (let at = 0; at < source.length;) {
    const found = source.indexOf("{{", at);
    const tag = found < 0 ? source.length : found;
    addText(at, source.slice(at, tag));
    at = endOfTag(source, tag);
    if (tag < at) add(tag, source.slice(tag, at));
  }
  add(source.length, "");
  return {
    text: written.join(""),
    findSourcePlace(place) {
      let [low, high] = [0, begins.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (begins[middle]! <= place) low = middle;
        else high = middle - 1;
      }
      return sources[low]! + place - begins[low]!;
    },
  };
}

/** Stands for a part of one line: whether it has anything but blanks. */
function markText(text: string): string {
  return /\S/.test(text) ? "x" : " ";
}

/** Returns where the tag that begins at `start` ends; the end of the source when it does not. */
function endOfTag(source: string, start: number): number {
  if (start === source.length) return start;
  let inside = start + 2;
  while (/\s/.test(source.charAt(inside))) inside++;
  const close = source.charAt(inside) === "{" ? "}}}" : "}}";
  const end = source.indexOf(close, inside);
  return end < 0 ? source.length : end + close.length;
}
