/** Assigns a lead to a team, or to one of its members. */
import type { Caller } from "../../core/access.ts";
import { created, type ok } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, missingReference, notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { parseTeam, selectTeamJson, type TeamFacts } from "../../identity/teams/queries.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { checkAgency, guardMember } from "./access.ts";
import { moveLead } from "./lifecycle.ts";
import { presentLead } from "./present.ts";
import { requireLead, selectLeadById } from "./queries.ts";
import { takesLeads } from "./body.ts";
import { selectCasesOfLeads } from "./shown_in_cases.ts";
import { commitLead, draftLeadNotifications, transitionLead } from "./write.ts";

export interface Assignment {
  readonly team_id: number;
  readonly user_id?: number | null | undefined;
  /** Whether the path names the team: an unknown team then gives 404 instead of 422. */
  readonly in_path?: boolean;
}

/** Returns the assigned lead. For agency users. `answer` builds the answer. */
export async function assignLead(
  ctx: Context,
  id: string,
  body: Assignment,
  answer: typeof ok | typeof created = created,
) {
  const { companyId } = ctx.caller;
  const leadId = sql`select ${id}`;
  const [found, assignee, ...cases] = await ctx.deps.db.read([
    selectLeadById(companyId, id),
    selectAssignee(companyId, body),
    ...selectCasesOfLeads({ leads: leadId, leaving: leadId }),
  ]);
  const lead = requireLead(ctx, found!);
  checkAgency(ctx.caller, lead);
  checkMatch(ctx, () => presentLead(lead, ctx.now, ctx.fields.seen));
  const state = moveLead(lead.row.state, "assign");
  const team = readAssignedTeam(ctx.caller, body, assignee!);
  const { team_id } = body;
  const user_id = body.user_id ?? null;
  const write = transitionLead(
    ctx,
    lead,
    state,
    { kind: "assignment", team_id, user_id },
    // The records of an earlier acceptance stay with the team that accepted the lead.
    { team_id, user_id, account_id: null, contact_id: null, case_id: null },
    { team, account: null, contact: null },
  );
  return await commitLead(ctx, write, cases, "lead_assigned", {
    answer,
    guards: user_id ? [guardMember(user_id, team)] : [],
    notifications: draftLeadNotifications(write.lead),
  });
}

/** Reads the team of the body, and whether the user belongs to it. */
function selectAssignee(companyId: number, { team_id, user_id = null }: Assignment): Statement {
  return sql`select ${selectTeamJson(sql`a.id`)} as team,
    exists (select 1 from team_members m join users u on u.id = m.user_id
      where m.team_id = a.id and u.id = ${user_id} and u.deleted_at is null) as has_user
    from teams a where a.id = ${team_id} and a.company_id = ${companyId}`;
}

function readAssignedTeam(
  caller: Caller,
  { user_id, in_path }: Assignment,
  { rows: [row] }: Result,
): TeamFacts {
  if (!row && in_path) throw notFound();
  const errors: FieldError[] = [];
  const team = row ? parseTeam(row.team) : null;
  if (!team || !takesLeads(caller, team)) errors.push(missingReference("team_id", "team"));
  else if (typeof user_id === "number" && row!.has_user !== 1) {
    errors.push(fieldError("user_id", "exists", "There is no such user in the team."));
  }
  if (errors.length > 0 || !team) throw invalid(...errors);
  return team;
}
