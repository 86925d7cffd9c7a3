/** Converts the issues of Zod to field errors, and checks what a schema cannot. */
import type { z } from "zod";
import {
  type FieldCode,
  type FieldError,
  fieldError,
  invalid,
  mostErrors,
  pathText,
} from "../core/errors.ts";
import { restorePath } from "./named_members.ts";

type Issue = z.core.$ZodIssue;

/**
 * Returns the parsed value, or throws 422 with one entry for each fault. `prefix`: prepended to paths, such
 * as `query`.
 */
export function parseValid<T extends z.ZodType>(schema: T, value: unknown, prefix: string): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, mostErrors);
  throw invalid(...issues.flatMap((issue) => listErrors(issue, value, prefix, [])));
}

/** Adds faults for times that no schema can check: a creation in the future, an expiry that has passed. */
export function checkTimes(
  { at }: { readonly at: string },
  { created_at, expires_at }: {
    readonly created_at?: string | undefined;
    readonly expires_at?: string | null | undefined;
  },
  errors: FieldError[],
): void {
  if (expires_at && expires_at <= at) errors.push(fieldError("expires_at", "after", "Must be after now."));
  if (created_at && created_at > at) {
    errors.push(fieldError("created_at", "before", "Must not be in the future."));
  }
}

/** Returns the options of a refinement: the message, and the code of the field error. */
export function refusal(code: FieldCode, message: string): { error: string; params: { code: FieldCode } } {
  return { error: message, params: { code } };
}

function listErrors(
  issue: Issue,
  value: unknown,
  prefix: string,
  above: readonly PropertyKey[],
): FieldError[] {
  const path = [...above, ...restorePath(issue.path)];
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    // The branch that matched most explains the fault best.
    const branches = issue.errors.map((branch) =>
      branch.flatMap((inner) => listErrors(inner as Issue, value, prefix, path))
    );
    const deepest = (errors: FieldError[]) => Math.max(...errors.map((error) => error.path.length));
    const best = branches.filter((branch) => branch.length > 0)
      .sort((left, right) => deepest(right) - deepest(left))[0];
    if (best && at(value, path) !== null) return best;
  }
  const given = at(value, path);
  const code = chooseCode(issue, given);
  // Parameters are texts; a list means that the query repeats the parameter.
  if (prefix === "query" && code === "type" && Array.isArray(given)) {
    return [fieldError(pathText(path, prefix), code, "Must be given once.")];
  }
  return [fieldError(pathText(path, prefix), code, describeFault(issue, code, given))];
}

/** Returns the message of the schema, with our own words in place of the library's. */
function describeFault(issue: Issue, code: FieldCode, given: unknown): string {
  if (code === "required" && issue.code !== "custom") {
    return given === null ? "Must have a value." : "Must be given.";
  }
  if (issue.code === "invalid_type" && issue.message.startsWith("Invalid input")) {
    return `Must be ${expected[issue.expected] ?? `of type ${issue.expected}`}.`;
  }
  if (issue.code === "too_big" && issue.message.startsWith("Too big")) {
    return `At most ${issue.maximum}${nameUnit(issue.origin)}.`;
  }
  if (issue.code === "too_small" && issue.message.startsWith("Too small")) {
    return `At least ${issue.minimum}${nameUnit(issue.origin)}.`;
  }
  if (issue.code === "invalid_value" && issue.message.startsWith("Invalid ")) {
    return `Must be one of ${issue.values.map(String).join(", ")}.`;
  }
  return issue.message;
}

/** Returns the unit that a limit counts; empty for a limit of the value itself. */
function nameUnit(origin: string): string {
  return origin === "array" ? " entries" : origin === "string" ? " characters" : "";
}

const expected: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

function chooseCode(issue: Issue, value: unknown): FieldCode {
  switch (issue.code) {
    case "invalid_type":
      return value === undefined || value === null ? "required" : "type";
    case "invalid_union":
    case "invalid_key":
    case "invalid_element":
    case "unrecognized_keys":
      return value === undefined || value === null ? "required" : "type";
    case "too_small":
      return "min";
    case "too_big":
      return "max";
    case "invalid_format":
      return "format";
    case "invalid_value":
      if (value === undefined || value === null) return "required";
      return issue.values.some((known) => typeof known === typeof value) ? "enum" : "type";
    case "not_multiple_of":
      return "type";
    case "custom":
      return (issue.params?.code as FieldCode | undefined) ?? "format";
  }
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const key of path) {
    if (here === null || typeof here !== "object") return undefined;
    here = (here as Record<PropertyKey, unknown>)[key];
  }
  return here;
}
