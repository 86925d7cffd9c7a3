/** Records that the agency called the team of an escalated lead. */
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { checkAgency } from "./access.ts";
import { moveLead } from "./lifecycle.ts";
import { presentLead } from "./present.ts";
import { requireLead, selectLeadById } from "./queries.ts";
import { selectCasesOfLeads } from "./shown_in_cases.ts";
import { commitLead, transitionLead } from "./write.ts";

/** For agency users. The countdown that had run out starts again. */
export async function callLead(ctx: Context, id: string) {
  const [found, ...cases] = await ctx.deps.db.read([
    selectLeadById(ctx.caller.companyId, id),
    ...selectCasesOfLeads({ leads: sql`select ${id}` }),
  ]);
  const lead = requireLead(ctx, found!);
  checkAgency(ctx.caller, lead);
  checkMatch(ctx, () => presentLead(lead, ctx.now, ctx.fields.seen));
  const state = moveLead(lead.row.state, "call");
  const { team_id } = lead.row;
  const write = transitionLead(ctx, lead, state, { kind: "call", team_id, user_id: ctx.caller.userId });
  return await commitLead(ctx, write, cases, "lead_updated");
}
