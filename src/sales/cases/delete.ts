/**
 * Deleting a case with all that it has: in one commit, or, when that is too much for one, in steps. From the first
 * of them on the case is nowhere, and jobs take the steps that whoever began did not come to.
 */
import { type Answer, noContent } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { type Author, commit, type FieldAuthor, retrying } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { fieldsOfCompany } from "../../db/custom_values.ts";
import { companyFields } from "../../db/fields.ts";
import { insert, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { checkMatch } from "../../http/conditional.ts";
import { requireReach } from "../../identity/permissions.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { errorFields } from "../../platform/log.ts";
import type { Taken } from "../../customers/removal/dependents.ts";
import { noteReads, takeNotes } from "../customers/notes.ts";
import { leadsWithCase, leadsWithCaseCount, withoutCase } from "../leads/without_case.ts";
import { activityAgain, removalReads, removeCases } from "./removal.ts";
import { presentCase } from "./present.ts";
import { fullCase, visibleCase } from "./queries.ts";
import type { FullCase } from "./record.ts";
import { caseRemovals } from "./table.ts";

/** Steps that one run makes for a case; the next run goes on. */
const mostSteps = 500;

/**
 * 204, with an event for each record that goes, the case's own with the last. Leads that were accepted into it
 * stay, without it. Once the first step is made the rest is certain, whatever becomes of this call.
 */
export async function deleteCase(ctx: Context, id: string): Promise<Answer> {
  requireReach(ctx.caller, "cases.delete");
  const { companyId } = ctx.caller;
  const [begun, ...results] = await ctx.deps.db.read([removalOf(id), ...stepReads(companyId, id)]);
  if (begun!.rows.length > 0) throw notFound();
  const of = visibleCase(ctx, caseAmong(results));
  checkMatch(ctx, () => presentCase(of, ctx, ctx.fields.seen));
  const { statements, events, more } = stepOf(ctx, of, results);
  const removal = { case_id: id, company_id: companyId, created_at: ctx.at };
  const answer = await commit(ctx, {
    statements: [...statements, ...(more ? [insert(caseRemovals, removal)] : [])],
    events,
    answer: noContent,
  });
  if (more) {
    const { idempotency: _kept, guards: _caller, ...author } = ctx;
    await takeRest(author, companyId, id).catch((error) => logFailure(ctx.deps, id, error));
  }
  return answer;
}

/** Takes what is left of deleted cases, `now` in epoch milliseconds; how many steps it made. */
export async function continueCaseRemovals(deps: Deps, now: number): Promise<number> {
  const [open] = await deps.db.read([sql`select case_id, company_id from case_removals limit 100`]);
  const author = { deps, now, at: formatTimestamp(now) };
  let steps = 0;
  let failed = 0;
  for (const { case_id, company_id } of open!.rows) {
    try {
      steps += await takeRest(author, Number(company_id), String(case_id));
    } catch (error) {
      failed++;
      logFailure(deps, String(case_id), error);
    }
  }
  if (failed > 0) throw new Error(`${failed} deleted cases could not be removed`);
  return steps;
}

/** How many steps it made. */
async function takeRest(author: Author, companyId: number, id: string): Promise<number> {
  for (let steps = 1; steps < mostSteps; steps++) {
    // A database in this process never waits: let other calls in between.
    await new Promise((resolve) => setTimeout(resolve));
    if (!await retrying(() => oneStep(author, companyId, id))) return steps;
  }
  return mostSteps;
}

/** Whether more is left. */
async function oneStep(author: Author, companyId: number, id: string): Promise<boolean> {
  const [defined, begun, ...results] = await author.deps.db.read([
    fieldsOfCompany(companyId),
    removalOf(id),
    ...stepReads(companyId, id),
  ]);
  const of = fullCase(caseAmong(results));
  // Somebody else has taken the last step.
  if (begun!.rows.length === 0 || of === null) return false;
  const fields = companyFields(defined!.rows[0]?.fields as string | null ?? null, null);
  const { statements, events, more } = stepOf({ ...author, fields }, of, results);
  await commit(author, { companyId, statements, events, answer: noContent });
  return more;
}

function removalOf(id: string): Statement {
  return sql`select 1 as found from case_removals where case_id = ${id}`;
}

function stepReads(companyId: number, id: string): Statement[] {
  const ids = sql`select id from cases where id = ${id} and company_id = ${companyId}`;
  return [
    noteReads(sql`select n.id from notes n where n.case_id in (${ids})`),
    ...leadsWithCase(id),
    ...removalReads(ids),
  ];
}

/** Of the results of `stepReads` what `fullCase` reads. */
function caseAmong(results: readonly Result[]): Result[] {
  // Behind the notes, the leads and what is counted.
  return results.slice(leadsWithCaseCount + 2);
}

/** The case goes with the last step, and its removal with it. */
function stepOf(
  author: FieldAuthor,
  of: FullCase,
  [notesFound, ...results]: readonly Result[],
): Taken {
  const [leadsFound, found] = [results.slice(0, leadsWithCaseCount), results.slice(leadsWithCaseCount)];
  const notes = takeNotes(notesFound!);
  const leads = withoutCase(author, leadsFound, of.id);
  const last = !notes.more && !leads.more;
  const gone = last ? removeCases(author, found) : null;
  const more = gone === null || gone.more;
  return {
    statements: [
      ...notes.statements,
      ...leads.statements,
      ...(gone?.statements ?? []),
      ...(more ? [] : activityAgain({ accounts: [of.account_id], contacts: [of.contact_id] })),
    ],
    events: [...notes.events, ...leads.events, ...(gone?.events ?? [])],
    more,
  };
}

function logFailure({ log }: Pick<Deps, "log">, case_id: string, error: unknown): void {
  log.error({ event: "case_removal_failed", case_id, ...errorFields(error) });
}
