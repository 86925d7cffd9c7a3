/** Deleting a case with all that it has. */
import { type Answer, noContent } from "../../core/answer.ts";
import { commit, retrying } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { raw } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { requireReach } from "../../identity/permissions.ts";
import { noteReads, takeNotes } from "../customers/notes.ts";
import { leadsWithCase, withoutCase } from "../leads/without_case.ts";
import { activityAgain, goneCases, goneReads } from "./gone.ts";
import { presentCase } from "./present.ts";
import { visibleCase } from "./queries.ts";

/**
 * 204. In one commit, with an event for each record that goes; where it has too much for one, that goes
 * before, in steps, and the case with the last. Leads that were accepted into it stay, without it.
 */
export async function deleteCase(ctx: Context, id: string): Promise<Answer> {
  requireReach(ctx.caller, "cases.delete");
  let more = await step(ctx, id);
  while (more) {
    // A database in this process never waits: let other calls in between.
    await new Promise((resolve) => setTimeout(resolve));
    // It is no longer as `If-Match` has it.
    more = await retrying(() => step({ ...ctx, ifMatch: null }, id));
  }
  return noContent;
}

/** Whether more is left. */
async function step(ctx: Context, id: string): Promise<boolean> {
  const ids = raw("select id from cases where id = ? and company_id = ?", id, ctx.caller.companyId);
  const [notesFound, leadsFound, ...found] = await ctx.deps.db.read([
    noteReads(raw(`select n.id from notes n where n.case_id in (${ids.text})`, ...ids.args)),
    leadsWithCase(ids),
    ...goneReads(ids),
  ]);
  const of = visibleCase(ctx, found.slice(1));
  checkMatch(ctx, () => presentCase(of, ctx, ctx.fields.seen));
  const notes = takeNotes(notesFound!);
  const leads = withoutCase(ctx, leadsFound!, id);
  const last = !notes.more && !leads.more;
  const gone = last ? goneCases(ctx, found) : null;
  const more = gone === null || gone.more;
  await commit(more ? { ...ctx, idempotency: null } : ctx, {
    statements: [
      ...notes.statements,
      ...leads.statements,
      ...(gone?.statements ?? []),
      ...(more ? [] : activityAgain({ accounts: [of.account_id], contacts: [of.contact_id] })),
    ],
    events: [...notes.events, ...leads.events, ...(gone?.events ?? [])],
    answer: noContent,
  });
  return more;
}
