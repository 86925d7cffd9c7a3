/**
 * Puts calls of a function into a statement that reads, so that the function can end it. SQLite offers no other
 * hook here, and the end of its thread does not end a statement.
 */

/**
 * The name of the function. It returns `goOn`, or `stop` to end the statement: the error comes from SQLite, since
 * after an exception of a function `all` of Deno's driver runs the statement again and again.
 */
export const tick = "tick";
/** A JSON path. */
export const goOn = "$";
/** None. */
export const stop = "deadline";

const goesOn = `json_extract('{}', ${tick}()) is not null`;

/** Of so many rows of a table that are visited, one calls the function: by row number, a power of two. */
const each = 64;

/**
 * Every `where` over tables gets a term for each of them. It comes first, so that it is evaluated before terms that
 * reject the row, and has the likelihood 1, so that it changes no plan. A full-text query calls the function before
 * it begins, since it may visit much and find nothing.
 * @param hasRowNumbers whether there is a table of this name, with row numbers
 */
export function withTicks(sql: string, hasRowNumbers: (table: string) => boolean): string {
  const tokens = tokensOf(sql);
  const tables = new Set<string>();
  const isTable = (name: string) => !tables.has(name) && hasRowNumbers(name);
  for (const [at, { text }] of tokens.entries()) {
    // A table of the statement itself hides the one of the same name.
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
  // Of those at one place the ones of matches, which are within conditions, stay first.
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
  /** Where it ends in the statement. */
  readonly end: number;
  /** How many parentheses are open around it. */
  readonly depth: number;
}

const form = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|[\p{L}_][\p{L}\p{N}_$]*|\d[\w.]*|\S/gu;

function tokensOf(sql: string): Token[] {
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

/** The name of a table of a `with`: in front of `as`, with its columns in between or not. */
function nameBefore(tokens: readonly Token[], as: number): string {
  let at = as - 1;
  if (tokens[at]?.text === ")") {
    const { depth } = tokens[at]!;
    do at--; while (at > 0 && !(tokens[at]!.text === "(" && tokens[at]!.depth === depth));
    at--;
  }
  return plain(tokens[at]?.text ?? "");
}

/** The tables between the `from` of a `where` and itself, except those that may lack a row. */
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

/** Where the condition of a `where` ends. */
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
