/**
 * Accepts a lead: creates its account and contact or merges its data into existing ones, and adds the lead to the
 * team's open case of the customer or opens a case. All in one commit.
 */
import { ok } from "../../core/answer.ts";
import { attachFilesOfLead } from "./attach_files.ts";
import { commit } from "../../db/commit.ts";
import { asSeen } from "../../fields/field_sets.ts";
import type { Context } from "../../db/context.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import { sql } from "../../db/statements.ts";
import { displayName } from "../../customers/accounts/display_name.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import { addAttached } from "../case_parts/attachments.ts";
import type { LeadSummary } from "../case_parts/leads.ts";
import type { CaseAccount, FullCase } from "../cases/parts.ts";
import { caseNumber, openCase } from "../cases/open.ts";
import { addLead } from "../cases/write.ts";
import { type Acceptance, checkAcceptance, selectAcceptance } from "./acceptance.ts";
import { type Customer, decideCustomer } from "./acceptance_customer.ts";
import { guardMember } from "./access.ts";
import { escalatesAt } from "./lifecycle.ts";
import { presentLead } from "./present.ts";
import type { LeadRecord } from "./parts.ts";
import type { AcceptBody } from "./schema.ts";
import { draftLeadEvent, pickRecordIds, transitionLead } from "./write.ts";

/** Returns the accepted lead. For members of the lead's team and admins. */
export async function acceptLead(ctx: Context, id: string, body: AcceptBody) {
  const results = await ctx.deps.db.read(selectAcceptance(ctx.caller.companyId, id, body));
  const acceptance = checkAcceptance(ctx, body, results);
  const customer = decideCustomer(ctx, acceptance);
  const { lead: before, open_case, state, team, user } = acceptance;
  const caseWrite = open_case
    ? addLead(ctx, open_case, presentSummary(ctx, acceptance), {
      ...presentCustomer(open_case, customer),
      attachments: addAttached(open_case.attachments, acceptance.files),
    })
    : openCase(ctx, {
      company_id: before.row.company_id,
      team_id: team.id,
      team,
      user_id: user.id,
      user_name: user.name,
      account: customer.account,
      contact: customer.contact,
      path: acceptance.path,
      value: acceptance.first_value,
      lead: presentSummary(ctx, acceptance),
      attachments: addAttached([], acceptance.files),
    });

  const { account, contact } = customer;
  const ids = { account_id: account.id, contact_id: contact.id, case_id: caseWrite.of.id };
  const { lead, statements } = transitionLead(
    ctx,
    before,
    state,
    { kind: "acception", team_id: before.row.team_id, user_id: user.id, ...ids },
    ids,
    { account, contact, ...updateOriginals(before, customer) },
  );
  const shown = presentLead(lead, ctx.now, ctx.fields.all);
  return await commit(ctx, {
    statements: [
      guardMember(user.id, team),
      ...(open_case ? [] : [guardNoOpenCase(acceptance)]),
      ...customer.statements,
      ...statements,
      ...caseWrite.statements,
      attachFilesOfLead(ctx, id, caseWrite.of.id),
    ],
    events: [draftLeadEvent("lead_accepted", lead, shown), ...customer.events, caseWrite.event],
    notifications: draftAcceptNotifications(lead, caseWrite.of.id),
    answer: ok(asSeen(ctx.fields, shown, (fields) => presentLead(lead, ctx.now, fields))),
    ...(open_case ? {} : { late: caseNumber }),
  });
}

/** Notifies the agency users of the lead. */
function draftAcceptNotifications(lead: LeadRecord, caseId: string): NotificationDraft[] {
  const data = { ...pickRecordIds(lead), case: { id: caseId } };
  return [{ type: "lead_accepted", to: [{ agencyOf: lead.row.agency_team_id }], data }];
}

/** Returns the lead as the case shows it after the acceptance. */
function presentSummary(ctx: Context, { lead: { row, type }, state, team }: Acceptance): LeadSummary {
  return {
    id: row.id,
    lead_type_id: row.lead_type_id,
    interest: row.interest,
    lead_source: row.lead_source,
    lead_data: row.lead_data,
    escalates_at: escalatesAt(state, type.record, team.timezone, ctx.now),
    created_at: row.created_at,
    updated_at: ctx.at,
  };
}

/** Returns the customer as the open case shows it after the acceptance. The case may have another contact. */
function presentCustomer(open_case: FullCase, { account, contact }: Customer): Partial<FullCase> {
  const own = contact.id === open_case.contact_id;
  return {
    account,
    account_name: displayName(account),
    ...(own
      ? { contact, first_name: contact.first_name, last_name: contact.last_name }
      : { contact: withName(open_case.contact, account) }),
  };
}

/** Returns the original account and contact of the lead as they are after the acceptance. */
function updateOriginals(
  { original_account, original_contact }: LeadRecord,
  { account, contact }: Customer,
): Partial<LeadRecord> {
  return {
    original_account: original_account?.id === account.id ? account : original_account,
    original_contact: original_contact?.id === contact.id
      ? contact
      : original_contact && withName(original_contact, account),
  };
}

/** A contact shows the name of its account, which the acceptance may change. */
function withName<C extends ContactFacts>(contact: C, account: CaseAccount): C {
  return contact.account_id === account.id ? { ...contact, account_name: displayName(account) } : contact;
}

/** Rejects the batch when the team has opened a case for the account meanwhile. */
function guardNoOpenCase({ account, team }: Acceptance): Statement {
  return guardThat(
    "open_case",
    sql`not exists (select 1 from cases where account_id = ${account?.id ?? null} and status = 'open'
      and team_id is ${team.id})`,
  );
}
