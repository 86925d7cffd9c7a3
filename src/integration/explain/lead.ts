/** Says how a lead came to where it is, and what happens next. */
import { ok } from "../../core/answer.ts";
import type { Context } from "../../db/context.ts";
import { requireLead, selectLeadById } from "../../sales/leads/queries.ts";
import { predictNext, presentMoves, selectMoves } from "../../sales/leads/moves.ts";

/** For those who see the lead. */
export async function explainLead(ctx: Context, id: string) {
  const { caller: { companyId }, deps } = ctx;
  const [found, moves] = await deps.db.read([selectLeadById(companyId, id), selectMoves(companyId, id)]);
  const lead = requireLead(ctx, found!);
  return ok({
    lead_id: lead.row.id,
    status: lead.row.status,
    moves: presentMoves(lead, moves!.rows),
    next: predictNext(lead),
  });
}
