/** Compares an update with the row that was read. */
import type { Statement } from "../platform/database/database.ts";

/** Columns that every change sets: those of its moment and place, and what follows from other columns. */
const alwaysSet: ReadonlySet<string> = new Set([
  "updated_at",
  "version",
  "effective_at",
  "recent_key",
  "origin",
  "email_key",
]);

/**
 * Returns whether a value differs from the one that was read. A column that was not read counts as changed; one
 * that was read as an object is left to the comparison of the answers.
 */
export function differs(set: object, read: object): boolean {
  const stored = read as Readonly<Record<string, unknown>>;
  return Object.entries(set).some(([column, value]) => {
    const before = stored[column];
    if (value === undefined || before === value || alwaysSet.has(column)) return false;
    if (typeof before === "object" && before !== null) return false;
    return stripNulls(before) !== stripNulls(value);
  });
}

/**
 * Marks statements of a PUT that store what its answer shows, or repeat it elsewhere as an index does: comparing
 * the answers finds their changes.
 */
export function markShown(statements: readonly Statement[]): Statement[] {
  return statements.map((statement) => ({ ...statement, alters: false }));
}

/** Returns whether a statement may give a row other values. One that says nothing does so, unless it reads. */
export function mayAlter({ sql, alters }: Statement): boolean {
  return alters ?? !/^\s*select\b/i.test(sql);
}

/** Returns the JSON of an object without its empty members, and any other value as it is. */
function stripNulls(value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith("{")) return value;
  try {
    return JSON.stringify(JSON.parse(value, (_, member) => isEmpty(member) ? undefined : member));
  } catch {
    return value;
  }
}

function isEmpty(member: unknown): boolean {
  if (member === null) return true;
  return typeof member === "object" && !Array.isArray(member) && Object.keys(member).length === 0;
}
