/** What was too much for the batch that deleted a user goes to the heir in steps, here. */
import { noContent } from "../../core/answer.ts";
import { formatTimestamp } from "../../core/time.ts";
import { type Author, commit, retrying } from "../../db/commit.ts";
import { fieldsOfCompany } from "../../db/custom_values.ts";
import { companyFields } from "../../db/fields.ts";
import { guardVersions } from "../../db/guards.ts";
import { insert, remove, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../platform/database/database.ts";
import { reassignAll, type UserDeletion, type UserReassignment } from "./deletion.ts";
import { handovers } from "./table.ts";

/** Steps that one run makes for a user; the next run goes on. */
const mostSteps = 500;

export function beginReassignment(author: Author, { company_id, user_id, heir_id }: UserDeletion): Statement {
  return insert(handovers, { company_id, user_id, heir_id: heir_id!, created_at: author.at });
}

/** What is still on its way to somebody goes to that one's heir instead, or stays where it is. */
export function redirectReassignments({ user_id, heir_id }: UserDeletion): Statement {
  return heir_id === null
    ? remove(handovers, { heir_id: user_id })
    : sql`update handovers set heir_id = ${heir_id} where heir_id = ${user_id}`;
}

/** Takes every handover on, `now` in epoch milliseconds; how many steps it made. */
export async function continueReassignments(
  deps: Deps,
  now: number,
  legacies: readonly UserReassignment[],
): Promise<number> {
  const [open] = await deps.db.read([
    sql`select user_id, company_id, heir_id from handovers limit 100`,
  ]);
  const author = { deps, now, at: formatTimestamp(now) };
  let steps = 0;
  for (const row of open!.rows) {
    for (let step = 0; step < mostSteps; step++) {
      steps++;
      if (!await retrying(() => oneStep(author, Number(row.user_id), legacies))) break;
    }
  }
  return steps;
}

/** Whether more is left. */
async function oneStep(
  author: Author,
  userId: number,
  legacies: readonly UserReassignment[],
): Promise<boolean> {
  const [found] = await author.deps.db.read([
    sql`select h.company_id, h.heir_id, u.version, u.first_name || ' ' || u.last_name as name
    from handovers h join users u on u.id = h.heir_id where h.user_id = ${userId}`,
  ]);
  const row = found!.rows[0];
  if (!row) return false;
  const heir = { id: Number(row.heir_id), name: String(row.name), version: Number(row.version) };
  const passing = { company_id: Number(row.company_id), user_id: userId, heir_id: heir.id };
  const [defined, ...results] = await author.deps.db.read([
    fieldsOfCompany(passing.company_id),
    ...legacies.flatMap((legacy) => legacy.reads(passing)),
  ]);
  const fields = companyFields(defined!.rows[0]?.fields as string | null ?? null, null);
  const { statements, events, notices, more } = reassignAll(
    legacies,
    { ...author, fields },
    passing,
    heir,
    results,
  );
  await commit(author, {
    statements: [
      guardVersions("users", [heir]),
      ...statements,
      ...(more ? [] : [remove(handovers, { user_id: userId })]),
    ],
    events,
    notifications: notices,
    companyId: passing.company_id,
    answer: noContent,
  });
  return more;
}
