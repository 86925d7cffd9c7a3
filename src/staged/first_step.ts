/** The first step of work, in the commit of the verb that begins it. */
import { Problem, Stale } from "../core/errors.ts";
import { KeyTaken } from "../db/idempotency_keys.ts";
import type { Statement } from "../platform/database/database.ts";
import { DatabaseUnavailable } from "../platform/database/database.ts";
import { sql } from "../db/statements.ts";
import { selectFirst } from "./first_of.ts";
import { noChange, type Step, type Take } from "./kind.ts";

/** Selects the records of a first step. No record is set aside yet. */
export const takeFirst: Take = (ids, most) => ({ ids: selectFirst(ids, sql`true`, most), most });

/**
 * Commits the change of a verb together with the first step. If a record of the step fails, commits the
 * change alone; the staged work then sets that record aside.
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

/** Returns the statements of a first step, and those in `last` if no step follows. */
export function listStatements({ statements, more, last = [] }: Step): Statement[] {
  return more ? [...statements] : [...statements, ...last];
}

/** Returns the payload of the work after the first step; `begun`: if that failed. */
export function readPayload({ payload }: Step, begun: object): object {
  return payload === undefined ? begun : JSON.parse(payload);
}
