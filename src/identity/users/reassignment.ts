/** Moves records of a deleted user to the successor, as staged work if there are too many for a commit. */
import { Stale } from "../../core/errors.ts";
import { guardVersions, sql } from "../../db/statements.ts";
import type { Result } from "../../platform/database/database.ts";
import { inOrder, type PlannedStep, type StagedKind, type Take } from "../../staged/kind.ts";
import type { Successor, UserDeletion, UserReassignment } from "./deletion.ts";

const kind = "user_reassignment";

export function describeUserReassignment(parts: readonly UserReassignment[]): StagedKind {
  return {
    kind,
    step({ company_id, subject, payload }, take) {
      const { successor_id, isBegun = false }: Progress = JSON.parse(payload);
      // The others are done with the first commit. They read all of a kind, for example all filters of the company.
      const left = isBegun ? parts.filter(({ inSteps }) => inSteps) : parts;
      return reassignUser(left, { company_id, user_id: Number(subject), successor_id }, take);
    },
  };
}

/** The payload of the staged work. `isBegun`: the first step is done. */
type Progress = Pick<UserDeletion, "successor_id"> & { readonly isBegun?: boolean };

/** Plans a step of the parts, in their order. The first of its reads is for `readSuccessor`. */
export function reassignUser(
  parts: readonly UserReassignment[],
  deletion: UserDeletion,
  take: Take,
): PlannedStep {
  const steps = parts.map(({ step }) => step(deletion, take));
  const { company_id, successor_id } = deletion;
  return {
    reads: [
      sql`select id, version, first_name || ' ' || last_name as name from users
        where id = ${successor_id} and company_id = ${company_id} and deleted_at is null`,
      ...steps.flatMap(({ reads }) => reads),
    ],
    apply(author, [found, ...results]) {
      const successor = readSuccessor(found!);
      // When the successor is deleted too, that deletion redirects this work to another user.
      if (successor_id !== null && successor === null) throw new Stale("the successor");
      const step = inOrder(steps.map(({ reads, apply }) => ({
        reads,
        apply: (by, own) => apply(by, successor, own),
      }))).apply(author, results);
      return {
        ...step,
        statements: [guardVersions("users", successor ? [successor] : []), ...step.statements],
        payload: JSON.stringify({ successor_id, isBegun: true } satisfies Progress),
      };
    },
  };
}

export function readSuccessor({ rows: [row] }: Result): Successor | null {
  return row ? { id: Number(row.id), version: Number(row.version), name: String(row.name) } : null;
}
