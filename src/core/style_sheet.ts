/** Cleans the style sheets of e-mails. */
import postcss, { type ChildNode, type Container } from "postcss";

/** Levels of rules inside others. Deeper ones are removed, so that writing the rest needs little stack. */
const deepest = 10;

/**
 * Returns the rules that change nothing but the look of the message: no request to elsewhere, no import, no
 * position that leaves the message. Returns "" for what cannot be parsed.
 */
export function cleanStyleSheet(rules: string): string {
  try {
    // Comments of HTML hide rules from very old programs.
    const root = postcss.parse(rules.replaceAll(/<!--|-->/g, ""));
    keepHarmless(root, 0);
    const kept = root.toString();
    // Two braces would be read as a placeholder the next time.
    return kept.includes("<") || kept.includes("{{") ? "" : kept.trim();
  } catch {
    return "";
  }
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
