/** The first step of work, in the commit of the verb that begins it. */
import { Problem, Stale } from "../core/errors.ts";
import { KeyTaken } from "../db/idempotency_keys.ts";
import type { Statement } from "../platform/database/database.ts";
import { DatabaseUnavailable } from "../platform/database/database.ts";
import { bounded, sql } from "../db/statements.ts";
import { noChange, type Step, type Take } from "./kind.ts";

/** No record is set aside yet. */
export const takeFirst: Take = (ids, most) => ({
  ids: sql`select id from (${ids}) limit ${bounded(most)}`,
  most,
});

/**
 * Commits the change of a verb with the first step. When a record of the step fails, commits it without: the work
 * then goes on, and sets the record aside.
 */
export async function withFirstStep<T>(
  apply: () => Step,
  commitWith: (step: Step) => Promise<T>,
): Promise<T> {
  try {
    return await commitWith(apply());
  } catch (error) {
    const isNoRecord = [Problem, Stale, KeyTaken, DatabaseUnavailable].some((kind) => error instanceof kind);
    if (isNoRecord) throw error;
    return await commitWith({ ...noChange, more: true });
  }
}

/** The statements of a first step, with those of the last when it is the last too. */
export function allStatements({ statements, more, last = [] }: Step): Statement[] {
  return more ? [...statements] : [...statements, ...last];
}
