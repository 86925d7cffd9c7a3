/** Cleans the style sheets of e-mails. */
import postcss, { type ChildNode, type Container } from "postcss";

/** Levels of rules inside others. Deeper ones are removed, so that writing the rest needs little stack. */
const deepest = 10;
/** Parts of a sheet that cannot be parsed: each takes far longer than one that can. What follows them is left out. */
const mostBroken = 200;

/**
 * Returns the rules that change nothing but the look of the message: no request to elsewhere, no import, no
 * position that leaves the message. Leaves out what cannot be parsed, as browsers do.
 */
export function cleanStyleSheet(rules: string): string {
  // Comments of HTML hide rules from very old programs.
  const given = rules.replaceAll(/<!--|-->/g, "");
  return keepParsed(given) ?? keepParsed(mend(given, 0, { left: mostBroken })) ?? "";
}

/** Returns the harmless rules; null if one cannot be parsed, or could become HTML or a placeholder. */
function keepParsed(rules: string): string | null {
  try {
    const root = postcss.parse(rules);
    keepHarmless(root, 0);
    const kept = root.toString();
    // Two braces would be read as a placeholder the next time.
    return kept.includes("<") || kept.includes("{{") ? null : kept.trim();
  } catch {
    return null;
  }
}

/** Returns the statements that can be parsed, and of the others what can be parsed inside. */
function mend(rules: string, depth: number, broken: { left: number }): string {
  return splitStatements(rules).map((statement) => {
    const kept = broken.left > 0 ? keepParsed(statement) : "";
    if (kept === null) broken.left--;
    const open = statement.indexOf("{");
    const head = statement.slice(0, open + 1);
    // A colon ends the name of a declaration, which has no block.
    if (kept !== null || depth === deepest || /^\s*\{?$|:\s*\{$/.test(head)) return kept ?? "";
    return keepParsed(`${head}${mend(statement.slice(open + 1, -1), depth + 1, broken)}}`) ?? "";
  }).filter((kept) => kept !== "").map((kept) => /[};]$/.test(kept) ? kept : `${kept};`).join("");
}

/** Comments, texts in quotes, and the signs between which statements stand. */
const token = /\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|\\[^]|[{};]/g;

/** Splits rules, or the declarations of one, without those that are nothing; closes the last block. */
function splitStatements(rules: string): string[] {
  const statements: string[] = [];
  let [start, depth] = [0, 0];
  for (const { 0: sign, index } of rules.matchAll(token)) {
    if (sign === "{") depth++;
    else if (sign === "}" && depth > 0) depth--;
    else if (sign !== "}" && sign !== ";") continue;
    if (depth > 0) continue;
    // A brace that closes nothing stands for itself.
    const ends = sign === "}" && rules.slice(start, index).includes("{") ? index + 1 : index;
    if (sign !== "{") {
      statements.push(rules.slice(start, ends));
      start = index + 1;
    }
  }
  statements.push(rules.slice(start) + "}".repeat(depth));
  return statements.filter((statement) => statement.trim() !== "");
}

/** Filters each list once: the library moves all further nodes each time that it removes one. */
function keepHarmless(parent: Container, depth: number): void {
  parent.nodes = parent.nodes?.filter((node) => isKept(node, depth));
  for (const node of parent.nodes ?? []) if ("nodes" in node && node.nodes) keepHarmless(node, depth + 1);
}

function isKept(node: ChildNode, depth: number): boolean {
  switch (node.type) {
    // `@supports` and `@media` only choose rules; others load fonts and sheets.
    case "atrule":
      return depth < deepest && ["media", "supports"].includes(node.name.toLowerCase()) &&
        isPlain(node.params);
    case "rule":
      return depth < deepest && isPlain(node.selector);
    case "decl":
      return isHarmless(node.prop.toLowerCase(), node.value.toLowerCase());
    default:
      return false;
  }
}

/** A backslash can spell any other character. */
function isPlain(text: string): boolean {
  return !/[<\\]/.test(text);
}

/** `prop` and `value` in lower case. Custom properties could carry a value past these rules. */
function isHarmless(prop: string, value: string): boolean {
  if (!isPlain(prop) || !isPlain(value) || prop.startsWith("--") || /behavior|binding/.test(prop)) {
    return false;
  }
  if (prop === "position") return ["static", "relative"].includes(value);
  return !/url\s*\(|image-set|image\s*\(|src\s*\(|attr\s*\(|var\s*\(|expression|javascript:|@import/.test(
    value,
  );
}
