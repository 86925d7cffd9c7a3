/** Made-up leads: accepted ones with their cases, and leads in every other state. */
import type { AccountFacts } from "../../customers/accounts/present.ts";
import { type AccountFieldName, accountFields } from "../../fields/fixed_fields.ts";
import { type ContactFieldName, contactFields } from "../../fields/fixed_fields.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import { formatTimestamp, minuteMs } from "../../core/time.ts";
import { computeLeadWords } from "../../sales/leads/search_index.ts";
import { escalatesAt, type State, statusOf } from "../../sales/leads/lifecycle.ts";
import type { leadTransitions } from "../../sales/leads/record.ts";
import type { CaseFacts } from "./cases.ts";
import type { Dealer } from "./organisation.ts";
import type { SalesProcess } from "./process.ts";
import type { Random } from "./random.ts";
import type { Rows } from "./rows.ts";

const sources = ["Website", "Fair", "Newsletter", "Partner portal", "Phone"];
const interests = ["Estate", "Electric city car", "Van for the trade", "Used car up to 15000", "Leasing"];

interface LeadPlan {
  readonly dealer: Dealer;
  readonly account: AccountFacts;
  readonly contact: ContactFacts;
  readonly agencyTeamId: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Adds the lead whose acceptance opened a case. Case and account refer to it. */
export function takeAcceptedLead(
  rows: Rows,
  random: Random,
  process: SalesProcess,
  plan: LeadPlan & { readonly of: CaseFacts },
): void {
  const { of, account, contact, dealer } = plan;
  const opened = Date.parse(`${of.created_at.replace(" ", "T")}Z`);
  const created = opened - (5 + random.below(600)) * minuteMs;
  const first = rows.activities.find(({ case_id }) => case_id === of.id)?.created_at ?? null;
  const due = escalatesAt("accepted", process.leadType, dealer.timezone, opened)!;
  const late = first === null && due <= formatTimestamp(plan.now);
  const state: State = late ? "escalated_after_acceptance" : first === null ? "accepted" : "accepted_final";
  const records = { case_id: of.id, account_id: account.id, contact_id: contact.id };
  const lead = takeLead(rows, random, process, plan, { state, created, entered: opened, held: true });
  Object.assign(lead, { ...records, updated_at: of.created_at, user_id: of.user_id });
  const { id, lead_type_id, lead_source } = lead;
  Object.assign(of, { lead_id: id, lead_type_id, lead_source });
  const team = { team_id: dealer.teamId };
  takeMove(rows, id, "assignment", created, team);
  takeMove(rows, id, "acception", opened, {
    ...team,
    user_id: of.user_id ?? null,
    ...records,
    first_activity_at: first,
  });
  if (late) {
    takeMove(rows, id, "escalation", opened + 3 * 24 * 60 * minuteMs, {
      ...team,
      escalation_type: "activity",
    });
  }
}

/** Adds a lead that is not accepted. Running countdowns end after the present. */
export function takeOpenLead(rows: Rows, random: Random, process: SalesProcess, plan: LeadPlan): void {
  const { now, dealer } = plan;
  const fate = random.below(100);
  const state: State = fate < 15
    ? "assignable"
    : fate < 50
    ? "assigned"
    : fate < 65
    ? "rejected"
    : fate < 85
    ? "escalated"
    : fate < 92
    ? "called"
    : "revoked";
  const patience = process.leadType.escalation_accept * minuteMs;
  const recent = state === "assigned" || state === "called";
  const entered = now - Math.floor(random.fraction() * (recent ? 0.9 : 60) * patience);
  const created = recent && state !== "called" ? entered : entered - 2 * patience;
  const held = state !== "assignable";
  const lead = takeLead(rows, random, process, plan, { state, created, entered, held });
  if (!held) return;
  const team = { team_id: dealer.teamId };
  const missed = { ...team, escalation_type: "accept" as const };
  takeMove(rows, lead.id, "assignment", created, team);
  if (state === "rejected") {
    const user_id = random.pick(dealer.userIds);
    takeMove(rows, lead.id, "rejection", entered, { ...team, user_id, rejection_reason: "Out of our area" });
  }
  if (state === "escalated") takeMove(rows, lead.id, "escalation", entered, missed);
  if (state === "called" || state === "revoked") {
    takeMove(rows, lead.id, "escalation", created + patience, missed);
    takeMove(rows, lead.id, "call", state === "called" ? entered : entered - patience / 2, team);
  }
  if (state === "revoked") takeMove(rows, lead.id, "revocation", entered, missed);
}

function takeLead(
  rows: Rows,
  random: Random,
  { leadType }: SalesProcess,
  { dealer, account, contact, agencyTeamId }: LeadPlan,
  { state, created, entered, held }: { state: State; created: number; entered: number; held: boolean },
) {
  const interest = random.pick(interests);
  const brought = {
    account: { fixed: pickFixed<AccountFieldName>(account, accountFields) },
    contact: { fixed: pickFixed<ContactFieldName>(contact, contactFields), consent: {} },
  };
  const lead = {
    id: random.uuid(created),
    company_id: account.company_id,
    lead_type_id: leadType.id,
    team_id: held ? dealer.teamId : null,
    user_id: null,
    agency_team_id: agencyTeamId,
    state,
    status: statusOf[state],
    b2c: account.b2c,
    interest,
    lead_source: random.pick(sources),
    lead_user: null,
    product_ids: "[]",
    lead_data: JSON.stringify([{
      key: "Budget",
      value: String((5 + random.below(60)) * 1000),
      type: "string",
    }]),
    account: JSON.stringify(brought.account),
    contact: JSON.stringify(brought.contact),
    words: computeLeadWords(account.company_id, { ...brought, interest }),
    original_account_id: null,
    original_contact_id: null,
    account_id: null,
    contact_id: null,
    case_id: null,
    expires_at: null,
    hidden: 0,
    external_weight: random.chance(50) ? 1 + random.below(100) : 0,
    escalates_at: held ? escalatesAt(state, leadType, dealer.timezone, entered) : null,
    created_by: null,
    created_at: formatTimestamp(created),
    updated_at: formatTimestamp(entered),
    version: 1,
  };
  rows.leads.push(lead);
  return lead;
}

type Move = typeof leadTransitions.$inferInsert;

function takeMove(rows: Rows, lead_id: string, kind: string, at: number, more: Partial<Move>): void {
  rows.leadTransitions.push({
    lead_id,
    kind,
    at: formatTimestamp(at),
    team_id: null,
    user_id: null,
    rejection_reason: null,
    escalation_type: null,
    case_id: null,
    account_id: null,
    contact_id: null,
    first_activity_at: null,
    ...more,
  });
}

/** Returns the fixed values of a record by name. */
function pickFixed<Name extends string>(
  record: Readonly<Record<Name, string | null>>,
  fields: readonly { readonly name: string }[],
): Partial<Record<Name, string>> {
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = record[name as Name];
      return value === null ? [] : [[name, value]];
    }),
  ) as Partial<Record<Name, string>>;
}
