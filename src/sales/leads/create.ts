/** Creates a lead for a team, or for the agency to assign. */
import { created } from "../../core/answer.ts";
import { type FieldError, invalid } from "../../core/errors.ts";
import { toJson } from "../../core/json.ts";
import { makeId } from "../../core/ids.ts";
import { checkTimes } from "../../http/validate.ts";
import { foldTexts } from "../../core/text.ts";
import { type Change, commit, type UserAuthor } from "../../db/commit.ts";
import { asSeen } from "../../fields/field_sets.ts";
import type { Context } from "../../db/context.ts";
import { insert } from "../../db/statements.ts";
import type { Result } from "../../platform/database/database.ts";
import { makeInitial } from "../../records/members.ts";
import {
  checkParties,
  type NamedRecords,
  readEmbedded,
  readNamedRecords,
  selectNamedRecords,
} from "./body.ts";
import { escalatesAt, type State, statusOf } from "./lifecycle.ts";
import type { CachedLeadType } from "./cached_lead_types.ts";
import { presentLead } from "./present.ts";
import type { Embedded, LeadRecord } from "./parts.ts";
import type { LeadBody } from "./schema.ts";
import { computeLeadWords } from "./search_index.ts";
import { leadMembers, leads, leadTransitions } from "./record.ts";
import {
  checkLeadSize,
  draftLeadEvent,
  draftLeadNotifications,
  guardShownInLeads,
  makeTransition,
} from "./write.ts";

/** Returns 201 with the lead. */
export async function createLead(ctx: Context, body: LeadBody) {
  return await commit(
    ctx,
    decideNewLead(ctx, body, await ctx.deps.db.read(selectNamedRecords(ctx, body))).change,
  );
}

/** A decided change of a lead. */
export interface DecidedLead {
  readonly lead: LeadRecord;
  readonly change: Change<ReturnType<typeof presentLead>>;
}

/** Decides how the lead is made; throws what refuses it. `named`: results of `selectNamedRecords`. */
export function decideNewLead(ctx: UserAuthor, body: LeadBody, named: readonly Result[]): DecidedLead {
  const errors: FieldError[] = [];
  const embedded = readEmbedded(body, { account: null, contact: null }, {
    fields: ctx.fields.seen,
    shown: { account: null, contact: null },
  }, errors);
  checkTimes(ctx, body, errors);
  const references = readNamedRecords(ctx, body, named, errors);
  const { b2c, account_id = null, contact_id = null } = body;
  checkParties({ b2c, account_id, contact_id, ...embedded }, references, errors);
  const { team, type } = references;
  if (errors.length > 0 || !type) throw invalid(...errors);

  const lead = makeLead(ctx, body, embedded, { ...references, type });
  const { seq: _seq, ...row } = lead.row;
  const shown = toJson(presentLead(lead, ctx.now, ctx.fields.all));
  checkLeadSize(null, lead, shown, "lead_data");
  return {
    lead,
    change: {
      statements: [
        ...guardShownInLeads(lead),
        insert(leads, row),
        ...lead.transitions.map((transition) =>
          insert(leadTransitions, { lead_id: row.id, ...transition, made_by: row.created_by })
        ),
      ],
      events: [
        draftLeadEvent("lead_created", lead, shown),
        ...(team ? [draftLeadEvent("lead_assigned", lead, shown)] : []),
      ],
      notifications: draftLeadNotifications(lead),
      answer: created(asSeen(ctx.fields, shown, (fields) => presentLead(lead, ctx.now, fields))),
    },
  };
}

function makeLead(
  ctx: UserAuthor,
  body: LeadBody,
  embedded: Embedded,
  references: NamedRecords & { type: CachedLeadType },
): LeadRecord {
  const { team, type } = references;
  const state: State = team ? "assigned" : "assignable";
  return {
    row: {
      ...makeInitial(leadMembers, body),
      seq: 0,
      id: makeId(ctx.now),
      company_id: ctx.caller.companyId,
      lead_type_id: type.record.id,
      team_id: body.team_id ?? null,
      user_id: null,
      state,
      status: statusOf[state],
      product_ids: JSON.stringify([...new Set(body.product_ids)]),
      deleted_at: null,
      folded: foldTexts({ interest: body.interest ?? null, lead_source: body.lead_source }),
      words: computeLeadWords(ctx.caller.companyId, { ...embedded, interest: body.interest ?? null }),
      account: embedded.account && JSON.stringify(embedded.account),
      contact: embedded.contact && JSON.stringify(embedded.contact),
      original_account_id: body.account_id ?? null,
      original_contact_id: body.contact_id ?? null,
      account_id: null,
      contact_id: null,
      case_id: null,
      escalates_at: team ? escalatesAt(state, type.record, team.timezone, ctx.now) : null,
      created_by: ctx.caller.userId,
      created_at: body.created_at ?? ctx.at,
      updated_at: ctx.at,
    },
    embedded,
    transitions: team ? [makeTransition(ctx, { kind: "assignment", team_id: body.team_id ?? null })] : [],
    team,
    type,
    account: null,
    contact: null,
    original_account: references.account,
    original_contact: references.contact,
  };
}
