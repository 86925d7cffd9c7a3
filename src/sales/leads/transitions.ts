/** What people do with a lead apart from accepting it: assign, reject, call. */
import { type Caller, isAdmin, isAgencyOf } from "../../core/access.ts";
import { type Answer, created, ok } from "../../core/answer.ts";
import {
  type FieldError,
  fieldError,
  forbidden,
  invalid,
  missingReference,
  notFound,
} from "../../core/errors.ts";
import type { EventName } from "../../core/events.ts";
import type { Json } from "../../core/json.ts";
import { commit } from "../../db/commit.ts";
import { asSeen } from "../../db/fields.ts";
import type { Context } from "../../db/context.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import { rawSql, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { parseTeam, type TeamFacts, teamJson } from "../../identity/teams/queries.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { checkLeadSize } from "./budget.ts";
import { leadEvent, type LeadWrite, transitionLead } from "./change.ts";
import { transition } from "./lifecycle.ts";
import { assignedNotifications } from "./notifications.ts";
import { presentLead } from "./present.ts";
import { leadById, leadOf } from "./queries.ts";
import type { Lead } from "./record.ts";
import { casesAfter, casesOfLeads } from "./shown_in_cases.ts";
import { guardMember, takesLeads } from "./teams.ts";

export interface Assignment {
  readonly team_id: number;
  readonly user_id?: number | null | undefined;
  /** The address names the team: when there is none it is 404. */
  readonly in_path?: boolean;
}

/** Gives the lead to a team, or to one of its members; `answered` makes the answer. For agency users. */
export async function assignLead(
  ctx: Context,
  id: string,
  body: Assignment,
  answered: (lead: Json) => Answer = created,
): Promise<Answer> {
  const { companyId } = ctx.caller;
  const itself = sql`select ${id}`;
  const [found, named, ...cases] = await ctx.deps.db.read([
    leadById(companyId, id),
    assignees(companyId, body),
    ...casesOfLeads({ leads: itself, leaving: itself }),
  ]);
  const lead = leadOf(ctx, found!);
  checkAgency(ctx.caller, lead);
  checkMatch(ctx, () => presentLead(lead, ctx.now, ctx.fields.seen));
  const state = transition(lead.row.state, "assign");
  const team = assigneeOf(ctx.caller, body, named!);
  const { team_id } = body;
  const user_id = body.user_id ?? null;
  const write = transitionLead(
    ctx,
    lead,
    state,
    { kind: "assignment", team_id, user_id },
    // What a former team made of the lead stays with that team.
    { team_id, user_id, account_id: null, contact_id: null, case_id: null },
    { team, account: null, contact: null },
  );
  return await committed(ctx, write, cases, "lead_assigned", {
    answered,
    guards: user_id ? [guardMember(user_id, team)] : [],
    notices: assignedNotifications(write.lead),
  });
}

/** The team gives the lead back, with a reason. For members of the team and admins. */
export async function rejectLead(ctx: Context, id: string, rejection_reason: string): Promise<Answer> {
  const { lead, cases } = await readLead(ctx, id);
  checkTeam(ctx.caller, lead);
  checkMatch(ctx, () => presentLead(lead, ctx.now, ctx.fields.seen));
  const move = { kind: "rejection", team_id: lead.row.team_id, user_id: ctx.caller.userId, rejection_reason };
  const write = transitionLead(ctx, lead, transition(lead.row.state, "reject"), move);
  checkLeadSize(lead, write.lead, presentLead(write.lead, ctx.now, ctx.fields.all), "rejection_reason");
  return await committed(ctx, write, cases, "lead_rejected");
}

/** The agency has called the team that let the lead escalate: the countdown starts again. */
export async function callLead(ctx: Context, id: string): Promise<Answer> {
  const { lead, cases } = await readLead(ctx, id);
  checkAgency(ctx.caller, lead);
  checkMatch(ctx, () => presentLead(lead, ctx.now, ctx.fields.seen));
  const move = { kind: "call", team_id: lead.row.team_id, user_id: ctx.caller.userId };
  const write = transitionLead(ctx, lead, transition(lead.row.state, "call"), move);
  return await committed(ctx, write, cases, "lead_updated");
}

/** 403 unless the caller is an agency user of the lead's agency team. */
export function checkAgency(caller: Caller, { row }: Lead): void {
  if (isAgencyOf(caller, row.agency_team_id)) return;
  throw forbidden("Only users with the right agency in the lead's agency team may do this.");
}

/** 403 unless the caller belongs to the lead's team or is an admin. A lead without a team is refused by its state. */
export function checkTeam(caller: Caller, { row }: Lead): void {
  if (row.team_id === null || isAdmin(caller) || caller.teamIds.includes(row.team_id)) return;
  throw forbidden("Only members of the lead's team and admins may do this.");
}

/** The lead, and what `committed` needs of its case. */
async function readLead(ctx: Context, id: string): Promise<{ lead: Lead; cases: Result[] }> {
  const [found, ...cases] = await ctx.deps.db.read([
    leadById(ctx.caller.companyId, id),
    ...casesOfLeads({ leads: sql`select ${id}` }),
  ]);
  return { lead: leadOf(ctx, found!), cases };
}

interface Beside {
  readonly answered: (lead: Json) => Answer;
  readonly guards: readonly Statement[];
  readonly notices: readonly NotificationDraft[];
}

async function committed(
  ctx: Context,
  { lead, statements }: LeadWrite,
  cases: readonly Result[],
  event: EventName,
  { answered = ok, guards = [], notices = [] }: Partial<Beside> = {},
): Promise<Answer> {
  const body = presentLead(lead, ctx.now, ctx.fields.all);
  const shown = casesAfter(ctx, [lead], cases);
  return await commit(ctx, {
    statements: [...guards, ...statements, ...shown.flatMap((write) => write.statements)],
    events: [leadEvent(event, lead, body), ...shown.map((write) => write.event)],
    notifications: notices,
    answer: answered(asSeen(ctx.fields, body, (fields) => presentLead(lead, ctx.now, fields))),
  });
}

function assignees(companyId: number, { team_id, user_id }: Assignment): Statement {
  return sql`select ${
    rawSql(teamJson("a.id"))
  } as team, exists (select 1 from team_members m join users u on u.id = m.user_id
    where m.team_id = a.id and u.id = ${
    user_id ?? null
  } and u.deleted_at is null) as has_user from teams a where a.id = ${team_id} and a.company_id = ${companyId}`;
}

function assigneeOf(caller: Caller, { user_id, in_path }: Assignment, { rows: [row] }: Result): TeamFacts {
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
