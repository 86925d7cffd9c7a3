/** Gives a lead back to the agency. */
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { checkTeam } from "./access.ts";
import { moveLead } from "./lifecycle.ts";
import { presentLead } from "./present.ts";
import { requireLead, selectLeadById } from "./queries.ts";
import { selectCasesOfLeads } from "./shown_in_cases.ts";
import { checkLeadSize, commitLead, transitionLead } from "./write.ts";

/** For members of the lead's team and admins. */
export async function rejectLead(ctx: Context, id: string, rejection_reason: string) {
  const [found, ...cases] = await ctx.deps.db.read([
    selectLeadById(ctx.caller.companyId, id),
    ...selectCasesOfLeads({ leads: sql`select ${id}` }),
  ]);
  const lead = requireLead(ctx, found!);
  checkTeam(ctx.caller, lead);
  checkMatch(ctx, () => presentLead(lead, ctx.now, ctx.fields.seen));
  const state = moveLead(lead.row.state, "reject");
  const { team_id } = lead.row;
  const write = transitionLead(
    ctx,
    lead,
    state,
    { kind: "rejection", team_id, user_id: ctx.caller.userId, rejection_reason },
  );
  checkLeadSize(lead, write.lead, presentLead(write.lead, ctx.now, ctx.fields.all), "rejection_reason");
  return await commitLead(ctx, write, cases, "lead_rejected");
}
