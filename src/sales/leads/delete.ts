/** Deletes a lead. Its row stays hidden for filters that name `lead.deleted_at`. */
import { noContent } from "../../core/answer.ts";
import { detachFiles } from "../../customers/attached_files.ts";
import { commit, type FieldAuthor } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { presentLead } from "./present.ts";
import { requireLead, selectLeadById } from "./queries.ts";
import { changeCasesOfLeads, selectCasesOfLeads } from "./shown_in_cases.ts";
import type { LeadRecord } from "./parts.ts";
import { changeLead, draftLeadEvent } from "./write.ts";

/**
 * Deletes the lead. The account, contact and case of its acceptance stay; the case then shows the lead
 * accepted before it, if there is one.
 */
export async function deleteLead(ctx: Context, id: string) {
  const leadId = sql`select ${id}`;
  const [found, ...cases] = await ctx.deps.db.read([
    selectLeadById(ctx.caller.companyId, id),
    ...selectCasesOfLeads({ leads: leadId, leaving: leadId }),
  ]);
  const lead = requireLead(ctx, found!);
  checkMatch(ctx, () => presentLead(lead, ctx.now, ctx.fields.seen));
  const { after, statements, event } = removeLead(ctx, lead);
  const caseWrites = changeCasesOfLeads(ctx, [after], cases);
  return await commit(ctx, {
    statements: [
      ...statements,
      ...caseWrites.flatMap((write) => write.statements),
    ],
    events: [
      event,
      ...caseWrites.map(({ event }) => event),
    ],
    answer: noContent,
  });
}

/** Removes a lead, without the case that shows it. */
export function removeLead(author: FieldAuthor, lead: LeadRecord) {
  const { lead: after, statements } = changeLead(author, lead, {
    deleted_at: author.at,
    hidden: 1,
    escalates_at: null,
  });
  return {
    after,
    statements: [...statements, ...detachFiles(author, "lead", sql`select ${lead.row.id}`)],
    event: draftLeadEvent("lead_deleted", lead, presentLead(lead, author.now, author.fields.all)),
  };
}
