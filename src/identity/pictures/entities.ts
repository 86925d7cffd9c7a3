/** The text entities that a document type of SVG declares inside itself, as drawing programs write them. */

/** A document type that cannot be read, or whose entities are too expensive. */
export class RefusedEntities extends Error {}

/** Characters that all entities of a picture become together. */
const mostExpanded = 256 * 1024;
const mostDeclared = 1_000;

/**
 * Declares the entities of a document type in `known`, the parser's table. The parser reads an entry each time
 * that the picture names it, so each reading counts. Throws `RefusedEntities` for external entities, for
 * elements within entities, and when entities contain each other without end or become too long.
 */
export function declareEntities(doctype: string, known: Record<string, string>): void {
  const declared = readDeclarations(doctype);
  const texts = new Map<string, string>();
  let expanded = 0;
  const grow = (text: string) => {
    expanded += text.length;
    if (expanded > mostExpanded) throw new RefusedEntities();
    return text;
  };
  const expandEntity = (name: string, within: readonly string[]): string => {
    const found = texts.get(name);
    if (found !== undefined) return found;
    const value = declared.get(name);
    if (value === undefined || within.includes(name)) throw new RefusedEntities();
    const text = value.replace(reference, (_, inner: string | undefined) => {
      if (inner === undefined) throw new RefusedEntities();
      return grow(predefined[inner] ?? expandEntity(inner, [...within, name]));
    });
    texts.set(name, text);
    return text;
  };
  for (const name of declared.keys()) {
    // What XML itself defines stays as it is.
    if (name in known) continue;
    Object.defineProperty(known, name, { get: () => grow(expandEntity(name, [])) });
  }
}

/** Returns the values by name; of two with the same name, the first counts. */
function readDeclarations(doctype: string): Map<string, string> {
  const declared = new Map<string, string>();
  const from = doctype.indexOf("[");
  if (from < 0) return declared;
  const subset = doctype.slice(from + 1, doctype.lastIndexOf("]"));
  for (let at = 0; at < subset.length; at = declaration.lastIndex) {
    declaration.lastIndex = at;
    const match = declaration.exec(subset);
    if (!match) throw new RefusedEntities();
    const [, name, double, single] = match;
    if (name === undefined || declared.has(name)) continue;
    if (declared.size >= mostDeclared) throw new RefusedEntities();
    const value = (double ?? single!).replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (_, hex, decimal) => {
      const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
      if (code === 0 || code > 0x10ffff) throw new RefusedEntities();
      return String.fromCodePoint(code);
    });
    // It would be an element, and not text.
    if (value.includes("<")) throw new RefusedEntities();
    declared.set(name, value);
  }
  return declared;
}

/** White space, a comment, what an element may contain, or a text entity. */
const declaration =
  /\s+|<!--(?:[^-]|-(?!-))*-->|<!(?:ELEMENT|ATTLIST)\s(?:[^<>"']|"[^"]*"|'[^']*')*>|<!ENTITY\s+([\p{L}_:][\p{L}\p{N}_:.-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>/uy;
/** A reference within a value; without a name where an `&` begins none. */
const reference = /&(?:([\p{L}_:][\p{L}\p{N}_:.-]*);)?/gu;
const predefined: Readonly<Record<string, string | undefined>> = Object.freeze(
  Object.assign(Object.create(null), { lt: "<", gt: ">", amp: "&", apos: "'", quot: '"' }),
);
