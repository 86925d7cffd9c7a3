/** Finds promises in the sources whose rejection nobody handles, with the TypeScript compiler. */
import { relative } from "node:path";
import ts from "typescript";
import { runCommand } from "../support/process.ts";

export interface Floating {
  /** Path from the root of the project. */
  readonly file: string;
  readonly line: number;
  /** The code, with single blanks. */
  readonly code: string;
}

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ["lib.esnext.d.ts"],
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  jsx: ts.JsxEmit.ReactJSX,
  jsxImportSource: "hono/jsx",
};

/** Functions and methods that ignore the result of the function which they are given. */
const timers = new Set(["setTimeout", "setInterval", "setImmediate", "queueMicrotask"]);
const listeners = new Set(["on", "once", "addEventListener"]);

/**
 * Returns the statements that leave a promise alone, the promises in variables that wait unhandled while
 * something else is awaited, and the functions that return a promise to a caller which expects nothing, such as
 * a timer or a listener. `types`: the file with the types of Deno.
 */
export function findFloating(root: string, files: readonly string[], types: string): Floating[] {
  const program = ts.createProgram([...files, types], options);
  const checker = program.getTypeChecker();
  const found: Floating[] = [];
  for (const file of files) {
    const source = program.getSourceFile(file)!;
    const visit = (node: ts.Node): void => {
      if (isFloating(checker, node)) {
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        found.push({ file: relative(root, file), line, code: node.getText().replaceAll(/\s+/g, " ") });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function isFloating(checker: ts.TypeChecker, node: ts.Node): boolean {
  if (ts.isVoidExpression(node)) return floats(checker, node.expression);
  if (ts.isExpressionStatement(node)) {
    return !ts.isVoidExpression(node.expression) && floats(checker, node.expression);
  }
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return returnsToNobody(checker, node);
  return ts.isVariableDeclaration(node) && waitsUnhandled(checker, node);
}

/** Returns whether the value of the expression is a promise without a handler of its rejection. */
function floats(checker: ts.TypeChecker, expression: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(expression)) return floats(checker, expression.expression);
  if (ts.isConditionalExpression(expression)) {
    return floats(checker, expression.whenTrue) || floats(checker, expression.whenFalse);
  }
  if (ts.isBinaryExpression(expression)) {
    return !isAssignment(expression) &&
      (floats(checker, expression.left) || floats(checker, expression.right));
  }
  if (ts.isAwaitExpression(expression)) return false;
  return isPromise(checker, checker.getTypeAtLocation(expression)) && !isHandled(expression);
}

function isAssignment({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** Returns whether the chain of calls ends with a handler: `catch`, or `then` with two; `finally` may follow. */
function isHandled(expression: ts.Expression): boolean {
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return false;
  const { name, expression: before } = expression.expression;
  if (name.text === "catch") return expression.arguments.length > 0;
  if (name.text === "then") return expression.arguments.length === 2;
  return name.text === "finally" && isHandled(before);
}

function returnsToNobody(checker: ts.TypeChecker, node: ts.ArrowFunction | ts.FunctionExpression): boolean {
  const isAsync = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
  if (isGivenToDeaf(node)) return isAsync || !ts.isBlock(node.body) && floats(checker, node.body);
  if (!isAsync) return false;
  const expected = checker.getContextualType(node);
  if (!expected) return false;
  const signatures = (expected.isUnion() ? expected.types : [expected]).flatMap((type) =>
    type.getCallSignatures()
  );
  return signatures.length > 0 &&
    signatures.every((signature) => (signature.getReturnType().flags & ts.TypeFlags.Void) !== 0);
}

function isGivenToDeaf({ parent }: ts.Node): boolean {
  if (!ts.isCallExpression(parent)) return false;
  const { expression } = parent;
  if (ts.isPropertyAccessExpression(expression)) return listeners.has(expression.name.text);
  return ts.isIdentifier(expression) && timers.has(expression.text);
}

/** Returns whether another `await` of the block comes before the first use of the promise in the variable. */
function waitsUnhandled(
  checker: ts.TypeChecker,
  { name, initializer, parent }: ts.VariableDeclaration,
): boolean {
  if (!initializer || !ts.isIdentifier(name) || !ts.isCallExpression(initializer)) return false;
  const statement = parent.parent;
  if (!ts.isVariableStatement(statement) || !ts.isBlock(statement.parent)) return false;
  const { statements } = statement.parent;
  const next = statements.slice(statements.indexOf(statement) + 1);
  const used = next.findIndex((one) => mentions(one, name.text));
  const between = used === -1 ? next : next.slice(0, used);
  return (used === -1 || between.some(awaits)) && floats(checker, initializer);
}

function mentions(node: ts.Node, name: string): boolean {
  if (ts.isIdentifier(node) && node.text === name) return true;
  return ts.forEachChild(node, (child) => mentions(child, name) || undefined) ?? false;
}

function awaits(node: ts.Node): boolean {
  if (ts.isAwaitExpression(node)) return true;
  if (ts.isFunctionLike(node)) return false;
  return ts.forEachChild(node, (child) => awaits(child) || undefined) ?? false;
}

function isPromise(checker: ts.TypeChecker, type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some((one) => isPromise(checker, one));
  const then = type.getProperty("then");
  return then !== undefined && checker.getTypeOfSymbol(then).getCallSignatures().length > 0;
}

/** Writes the types of Deno into the folder, and returns their path. */
export async function typesIn(folder: string): Promise<string> {
  const { code, stdout, stderr } = await runCommand(["types"], {});
  if (code !== 0) throw new Error(stderr);
  await Deno.writeTextFile(`${folder}/deno.d.ts`, stdout);
  return `${folder}/deno.d.ts`;
}
