/** Changes a lead that is not accepted. */
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { foldTexts } from "../../core/text.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { checkTimes } from "../../http/validate.ts";
import { makeChanges } from "../../records/members.ts";
import { checkParties, readEmbedded, readNamedRecords, selectNamedRecords } from "./body.ts";
import { moveLead } from "./lifecycle.ts";
import { presentLead } from "./present.ts";
import { requireLead, selectLeadById } from "./queries.ts";
import type { LeadRecord } from "./parts.ts";
import { leadMembers } from "./record.ts";
import type { LeadChange } from "./schema.ts";
import { computeLeadWords } from "./search_index.ts";
import { casesOfLeadsCount, selectCasesOfLeads } from "./shown_in_cases.ts";
import { changeLead, checkLeadSize, commitLead } from "./write.ts";

/** Returns the changed lead. An absent member keeps its value, and a running countdown goes on. */
export async function updateLead(ctx: Context, id: string, body: LeadChange) {
  const [found, ...read] = await ctx.deps.db.read([
    selectLeadById(ctx.caller.companyId, id),
    ...selectCasesOfLeads({ leads: sql`select ${id}` }),
    ...selectNamedRecords(ctx, body),
  ]);
  const [cases, results] = [read.slice(0, casesOfLeadsCount), read.slice(casesOfLeadsCount)];
  const lead = requireLead(ctx, found!);
  checkMatch(ctx, () => presentLead(lead, ctx.now, ctx.fields.seen));
  moveLead(lead.row.state, "update");

  const errors: FieldError[] = [];
  const { row } = lead;
  const b2c = body.b2c ?? row.b2c === 1;
  const account_id = chooseValue(body.account_id, row.original_account_id);
  const contact_id = chooseValue(body.contact_id, row.original_contact_id);
  const shown = {
    account: account_id === row.original_account_id ? lead.original_account : null,
    contact: contact_id === row.original_contact_id ? lead.original_contact : null,
  };
  const embedded = readEmbedded(body, lead.embedded, { fields: ctx.fields.seen, shown }, errors);
  const { account, contact } = embedded;
  const agency_team_id = chooseValue(body.agency_team_id, row.agency_team_id);
  checkTimes(ctx, body, errors);
  if (!row.team_id && !agency_team_id) {
    errors.push(fieldError("agency_team_id", "required", "Required without team_id."));
  }
  const references = readNamedRecords(ctx, pickChangedIds(body, lead), results, errors, {
    type: row.lead_type_id,
    product_ids: JSON.parse(row.product_ids),
  });
  const original_account = account_id === row.original_account_id
    ? lead.original_account
    : references.account;
  const original_contact = contact_id === row.original_contact_id
    ? lead.original_contact
    : references.contact;
  if (
    errors.length === 0 && original_account && original_contact &&
    original_contact.account_id !== original_account.id
  ) {
    errors.push(missingReference("contact_id", "contact of the account"));
  }
  checkParties(
    {
      b2c,
      account_id,
      contact_id,
      // If data merges into an existing record, checks only what the request changes: the record may have
      // changed since.
      account: account_id === null || body.account || body.account_id ? account : null,
      contact: contact_id === null || body.contact || body.contact_id ? contact : null,
    },
    { account: original_account, contact: original_contact },
    errors,
  );
  if (errors.length > 0) throw invalid(...errors);

  const { type } = references;
  const plain = makeChanges(leadMembers, body, row);
  const { interest, lead_source } = plain;
  const write = changeLead(ctx, lead, {
    ...plain,
    lead_type_id: type?.record.id ?? row.lead_type_id,
    folded: foldTexts({ interest, lead_source }),
    words: computeLeadWords(row.company_id, { account, contact, interest }),
    product_ids: body.product_ids === undefined
      ? row.product_ids
      : JSON.stringify([...new Set(body.product_ids)]),
    account: account && JSON.stringify(account),
    contact: contact && JSON.stringify(contact),
    original_account_id: account_id,
    original_contact_id: contact_id,
  }, {
    embedded,
    type: type ?? lead.type,
    original_account,
    original_contact,
  });
  checkLeadSize(lead, write.lead, presentLead(write.lead, ctx.now, ctx.fields.all), "lead_data");
  return await commitLead(ctx, write, cases, "lead_updated");
}

/** Returns the value after the change: an absent value keeps the one before, null clears it. */
function chooseValue<T>(given: T | null | undefined, before: T | null): T | null {
  return given === undefined ? before : given;
}

/** The body without the ids that the lead has already: the caller need not see those records. */
function pickChangedIds(body: LeadChange, { row }: LeadRecord): LeadChange {
  const changed = { ...body };
  if (body.account_id === row.original_account_id) delete changed.account_id;
  if (body.contact_id === row.original_contact_id) delete changed.contact_id;
  if (body.agency_team_id === row.agency_team_id) delete changed.agency_team_id;
  return changed;
}
