/** Cleans the style sheets of e-mails. */
import postcss, { type Root } from "postcss";

/**
 * Returns the rules that change nothing but the look of the message: no request to elsewhere, no import, no
 * position that leaves the message. Returns "" for what cannot be parsed.
 */
export function cleanStyleSheet(rules: string): string {
  let root: Root;
  try {
    // Comments of HTML hide rules from very old programs.
    root = postcss.parse(rules.replaceAll(/<!--|-->/g, ""));
  } catch {
    return "";
  }
  root.walkComments((comment) => void comment.remove());
  root.walkAtRules((rule) => {
    // `@supports` and `@media` only choose rules; others load fonts and sheets.
    if (!["media", "supports"].includes(rule.name.toLowerCase()) || !isPlain(rule.params)) rule.remove();
  });
  root.walkRules((rule) => {
    if (!isPlain(rule.selector)) rule.remove();
  });
  root.walkDecls((declaration) => {
    if (!isHarmless(declaration.prop.toLowerCase(), declaration.value.toLowerCase())) declaration.remove();
  });
  const kept = root.toString();
  // Two braces would be read as a placeholder the next time.
  return kept.includes("<") || kept.includes("{{") ? "" : kept.trim();
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
