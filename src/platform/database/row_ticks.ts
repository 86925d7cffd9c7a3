/**
 * Adds calls of a function to a read statement, so that the function can end it.
 *
 * Works around: node:sqlite can neither interrupt a statement nor report its progress, and terminating
 * the thread does not end it. An exception in a function makes `all` repeat the statement forever.
 * True for: Deno 2.9.6.
 * Remove when: `DatabaseSync` has an interrupt or a progress handler.
 */

/**
 * The name of the function. It returns `goOn`, or `stop` to end the statement: the error comes from SQLite,
 * because after an exception in a function `all` of Deno's driver repeats the statement forever.
 */
export const tick = "tick";
/** A valid JSON path, so the statement continues. */
export const goOn = "$";
/** Not a JSON path, so SQLite ends the statement with an error. */
export const stop = "deadline";

const goesOn = `json_extract('{}', ${tick}()) is not null`;

/** One of this many visited rows calls the function, by row number; a power of two. */
const each = 64;

/**
 * Adds a term for each table to every `where`. The term comes first, before terms that reject the row, and
 * has likelihood 1, so that it changes no plan. A full-text query calls the function before it starts,
 * because it may visit many entries without a match.
 * @param hasRowNumbers returns whether the schema has a table of this name with row numbers
 */
export function addTicks(sql: string, hasRowNumbers: (table: string) => boolean): string {
  const tokens = readTokens(sql);
  const tables = new Set<string>();
  const isTable = (name: string) => !tables.has(name) && hasRowNumbers(name);
  for (const [at, { text }] of tokens.entries()) {
    // A common table expression hides a table of the same name.
    if (text === "as" && ["materialized", "("].includes(tokens[at + 1]?.text ?? "")) {
      tables.add(nameBefore(tokens, at));
    }
  }
  const inserts: { readonly at: number; readonly text: string }[] = [];
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    if (token.text !== "match" || next?.text !== "?") return;
    inserts.push({ at: token.end, text: ` iif(${goesOn},` }, { at: next.end, text: ", null)" });
  });
  tokens.forEach((token, at) => {
    if (token.text !== "where") return;
    const terms = tablesBefore(tokens, at).filter(({ name }) => isTable(name)).map(({ alias }) =>
      `likelihood((${alias}.rowid & ${each - 1}) <> 0 or ${goesOn}, 1.0) and `
    );
    if (terms.length === 0) return;
    inserts.push({ at: token.end, text: ` ${terms.join("")}(` }, { at: endOfWhere(tokens, at), text: ")" });
  });
  // At one position, terms of matches stay first, because they are inside conditions.
  inserts.sort((one, other) => one.at - other.at);
  let [done, written] = [0, ""];
  for (const { at, text } of inserts) {
    written += sql.slice(done, at) + text;
    done = at;
  }
  return written + sql.slice(done);
}

interface Token {
  /** In lower case. */
  readonly text: string;
  /** End position in the statement. */
  readonly end: number;
  /** Number of open parentheses around it. */
  readonly depth: number;
}

const form = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|[\p{L}_][\p{L}\p{N}_$]*|\d[\w.]*|\S/gu;

function readTokens(sql: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const match of sql.matchAll(form)) {
    const text = match[0].toLowerCase();
    if (text.startsWith("--") || text.startsWith("/*")) continue;
    if (text === ")") depth--;
    tokens.push({ text, end: match.index + match[0].length, depth });
    if (text === "(") depth++;
  }
  return tokens;
}

/** Returns the name of a common table expression, which is before `as`, with or without columns. */
function nameBefore(tokens: readonly Token[], as: number): string {
  let at = as - 1;
  if (tokens[at]?.text === ")") {
    const { depth } = tokens[at]!;
    do at--; while (at > 0 && !(tokens[at]!.text === "(" && tokens[at]!.depth === depth));
    at--;
  }
  return plain(tokens[at]?.text ?? "");
}

/** Returns the tables between `from` and `where`, except those of outer joins, which may lack a row. */
function tablesBefore(tokens: readonly Token[], where: number): { name: string; alias: string }[] {
  const { depth } = tokens[where]!;
  const found: { name: string; alias: string }[] = [];
  for (let at = where - 1; at >= 0; at--) {
    const { text, depth: own } = tokens[at]!;
    if (own < depth || (own === depth && ["select", "where"].includes(text))) return [];
    if (own !== depth || !["from", "join", ","].includes(text)) continue;
    const outer = text === "join" && ["left", "outer", "right", "full"].includes(tokens[at - 1]!.text);
    const [name, next, last] = [1, 2, 3].map((offset) => tokens[at + offset]!);
    if (!outer && isName(name!) && next?.text !== "(") {
      const alias = next?.text === "as" ? last! : isName(next!) && !clauses.has(next!.text) ? next! : name!;
      found.push({ name: plain(name!.text), alias: alias.text });
    }
    if (text === "from") return found;
  }
  return [];
}

/** Returns the end position of a `where` condition. */
function endOfWhere(tokens: readonly Token[], where: number): number {
  const { depth } = tokens[where]!;
  let at = where + 1;
  while (at < tokens.length && !(tokens[at]!.depth < depth) && !isEnd(tokens[at]!, depth)) at++;
  return tokens[at - 1]!.end;
}

function isEnd({ text, depth: own }: Token, depth: number): boolean {
  return own === depth && (ends.has(text) || text === ";");
}

const ends = new Set(["group", "order", "limit", "union", "intersect", "except", "window", "having"]);
const clauses = new Set([
  ...ends,
  "on",
  "where",
  "join",
  "cross",
  "left",
  "inner",
  "natural",
  "indexed",
  "not",
  "using",
]);

function isName({ text }: Token): boolean {
  return /^[\p{L}_"]/u.test(text);
}

function plain(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1) : name;
}
