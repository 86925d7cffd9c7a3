/** Limits of HTML that is cleaned: counts, before it is parsed, what parsing and cleaning take time for. */

/** Tags and comments. Parsing time grows with the square of open tags. */
const mostTags = 30_000;
/** Declarations in attributes `style`, each of which is parsed and compared with patterns. */
const mostDeclarations = 20_000;
/** Characters of all style sheets. */
const mostStyles = 65_536;

/** HTML that exceeds a limit; the message says which one. */
export class ExcessiveHtml extends Error {}

/**
 * Returns which limit the HTML exceeds; null when it can be cleaned. Style sheets count where they are kept.
 */
export function findExcess(html: string, keepsStyles = true): string | null {
  if (endOfTags(html) < html.length) return `The HTML has more than ${mostTags} tags.`;
  if (endOfDeclarations(html) < html.length) {
    return `The attributes style have more than ${mostDeclarations} declarations.`;
  }
  return keepsStyles && countStyles(html) > mostStyles
    ? `The style sheets have more than ${mostStyles} characters.`
    : null;
}

/** Returns the beginning of HTML that can be cleaned, without its style sheets. */
export function limitHtml(html: string): string {
  const end = Math.min(endOfTags(html), endOfDeclarations(html));
  return end < html.length ? html.slice(0, Math.max(0, html.lastIndexOf("<", end))) : html;
}

/** Returns where the first tag beyond the limit starts; otherwise the length. */
function endOfTags(html: string): number {
  let at = -1;
  for (let count = 0; count <= mostTags; count++) {
    at = html.indexOf("<", at + 1);
    if (at < 0) return html.length;
  }
  return at;
}

/** Returns where the first attribute beyond the limit starts. Counts the entities in a value too. */
function endOfDeclarations(html: string): number {
  let count = 0;
  for (const { 1: value, index } of html.matchAll(/\bstyle\s*=\s*("[^"]*"|'[^']*'|[^\s>]*)/gi)) {
    count += value!.split(";").length;
    if (count > mostDeclarations) return index;
  }
  return html.length;
}

function countStyles(html: string): number {
  const lower = html.toLowerCase();
  let count = 0;
  for (let from = lower.indexOf("<style"); from >= 0;) {
    const end = lower.indexOf("</style", from);
    const until = end < 0 ? lower.length : end;
    count += until - from;
    from = lower.indexOf("<style", until);
  }
  return count;
}
