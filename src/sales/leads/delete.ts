/** Deleting a lead. Its row stays, hidden, for filters that ask for deleted leads. */
import { type Answer, noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { raw, statement } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { casesAmong, fullCase } from "../cases/queries.ts";
import { leadShown } from "../cases/record.ts";
import { type CaseWrite, changedCase } from "../cases/write.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { changedLead, leadEvent } from "./change.ts";
import { presentLead } from "./present.ts";
import { leadById, leadOf } from "./queries.ts";

/** 204. What its acceptance made stays; the case shows the lead that was accepted before it, or none. */
export async function deleteLead(ctx: Context, id: string): Promise<Answer> {
  const [found, ...shown] = await ctx.deps.db.read([
    leadById(ctx.caller.companyId, id),
    ...caseReads(ctx.caller.companyId, id),
  ]);
  const lead = leadOf(ctx, found!);
  checkMatch(ctx, () => presentLead(lead, ctx.now, ctx.fields.seen));
  const its_case = caseWithout(ctx, id, shown);
  const { statements } = changedLead(ctx, lead, { deleted_at: ctx.at, hidden: 1, escalates_at: null });
  return await commit(ctx, {
    statements: [...statements, ...(its_case ? its_case.statements : [])],
    events: [
      leadEvent("lead_deleted", lead, presentLead(lead, ctx.now, ctx.fields.all)),
      ...(its_case ? [its_case.event] : []),
    ],
    answer: noContent,
  });
}

/** Reads the case that the lead was accepted into, and what that shows without the lead. */
function caseReads(companyId: number, id: string): Statement[] {
  const its_case = raw(
    "select l.case_id from leads l where l.id = ? and l.company_id = ? and l.case_id is not null",
    id,
    companyId,
  );
  return [
    statement(
      `select ${leadShown("l.id <> ?")} as lead from cases cs where cs.id in (${its_case.text})`,
      id,
      ...its_case.args,
    ),
    ...casesAmong(its_case),
  ];
}

/** The case as it is without the lead; null where there is none, or it shows a later one. */
function caseWithout(ctx: Context, id: string, [without, ...results]: readonly Result[]): CaseWrite | null {
  const its_case = fullCase(results);
  if (its_case?.lead?.id !== id) return null;
  const left = without!.rows[0]!.lead;
  return changedCase(ctx, its_case, {}, { lead: left === null ? null : JSON.parse(String(left)) });
}
