/**
 * Regular expressions whose time grows with the square of a text, or faster. A caller's text of 65,535 characters
 * keeps the process busy for seconds with one of them.
 */
import assert from "node:assert/strict";
import { analyse } from "scslre";
import ts from "typescript";
import { readSources } from "./imports.ts";

const always = "It matches at every place, so that no place is tried again.";
const header = "A header has at most 16 KiB, which take less than a millisecond.";

/** Expressions that may stay: the file and the beginning of the expression, with the reason. */
const exceptions: readonly (readonly [file: string, expression: string, why: string])[] = [
  ["src/http/conditional.ts", "/(?<=[=,]", header],
  ["src/http/zod.ts", '/\\s*(?:"', always],
  ["src/identity/pictures/svg.ts", "/[\\w-]*$/", "It reads 40 characters."],
  ["src/identity/pictures/svg.ts", "/^(\\d*\\.?", "It reads 200 characters."],
  ["src/messages/inbound/parse.ts", "/^diagnostic-code:", "Its end always matches."],
  ["src/messages/inbound/parse.ts", "/^status:", "Its end always matches."],
  ["src/messages/placeholders/syntax.ts", "/\\d+$/", "It reads a message of the library for templates."],
];

Deno.test("the time of each regular expression grows with the text, not with its square", () => {
  const slow = readSources(new URL("../../", import.meta.url)).flatMap(({ path, text }) => {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, chooseKind(path));
    return literalsIn(source).filter(isSlow).map((literal) => ({ path, literal }));
  });
  const left = [...slow];
  const unused = exceptions.filter(([file, expression]) => {
    const index = left.findIndex(({ path, literal }) => path === file && literal.startsWith(expression));
    return index === -1 || !left.splice(index, 1);
  });
  assert.deepEqual(left, [], "rewrite it, or name what bounds the text");
  assert.deepEqual(unused, [], "exceptions that are not needed");
});

Deno.test("the check finds expressions that try again, and takes those that do not", () => {
  const bad = ["/(a+)+$/", "/^\\d+\\.?\\d*$/", "/<[^>]*>/", "/\\/+$/", "/^(\\S+?)(?:[ T]+\\d)?$/"];
  const good = ["/^\\d+(\\.\\d*)?$/", "/<[^<>]*>/", "/^([^\\sT]+)(?:[ T]+\\d)?$/"];
  assert.deepEqual([...bad, ...good].filter(isSlow), bad);
});

function chooseKind(path: string): ts.ScriptKind {
  return path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
}

/** Returns the literals of regular expressions, as they are written. */
function literalsIn(node: ts.Node): string[] {
  if (ts.isRegularExpressionLiteral(node)) return [node.text];
  const found: string[] = [];
  ts.forEachChild(node, (child) => void found.push(...literalsIn(child)));
  return found;
}

function isSlow(literal: string): boolean {
  const end = literal.lastIndexOf("/");
  // The library does not know the flags `d` and `v`; they do not change the time.
  const flags = literal.slice(end + 1).replace("d", "").replace("v", "u");
  const options = { reportTypes: { Move: true, Self: true, Trade: true } };
  return analyse({ source: literal.slice(1, end), flags }, options).reports.length > 0;
}
