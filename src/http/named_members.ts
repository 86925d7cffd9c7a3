/**
 * Objects whose members callers name, such as the columns of a file.
 *
 * Works around: Zod leaves `__proto__` out of the objects that it returns, so that a column of that name would vanish.
 * True for: zod 4.6.7.
 * Remove when: a record keeps an own member `__proto__`.
 */
import { z } from "zod";

const member = "__proto__";
/** No text that is stored has this sign, so that no other member has this name. */
const standIn = `${member}\0`;

/** The schema of an object with any names of members, each of whose values fits `value`. */
export function describeNamedMembers<V extends z.ZodType>(value: V) {
  return z.preprocess(
    (given) => renameMember(given, member, standIn),
    z.record(z.string(), value).transform((given) => renameMember(given, standIn, member)),
  );
}

/** Returns the path of a fault in such an object with the names that the caller sent. */
export function restorePath(path: readonly PropertyKey[]): PropertyKey[] {
  return path.map((key) => key === standIn ? member : key);
}

function renameMember<T>(given: T, from: string, to: string): T {
  if (given === null || typeof given !== "object" || !Object.hasOwn(given, from)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key === from ? to : key, value]),
  ) as T;
}
