/** The timer of leads. Any number of processes may run it: each due lead escalates or is revoked exactly once. */
import { noContent } from "../../core/answer.ts";
import { Stale } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import { selectFieldsOfCompany } from "../../db/custom_values.ts";
import { readCompanyFields } from "../../fields/field_sets.ts";
import { isLiveCompany } from "../../db/live_company.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../platform/database/database.ts";
import { bisect, deleteSetAside, isSetAside, setRecordAside } from "../../staged/set_aside.ts";
import { countdownOf, moveLead } from "./lifecycle.ts";
import { presentLead } from "./present.ts";
import { leadColumns, type LeadRecord, readLeadRow } from "./parts.ts";
import { changeCasesOfLeads, selectCasesOfLeads } from "./shown_in_cases.ts";
import { draftLeadEvent, type DueTransition, pickRecordIds, transitionLeads } from "./write.ts";

/** Leads in one commit, so that it holds the write lock for well under 100 ms. */
const most = 50;
/** The run ends after this many reads in a row without a transition, because other processes are faster. */
const maxIdleReads = 20;
/** How often a due lead may change between read and commit before the run sets it aside. */
const maxStale = 5;
/** The run skips a company after setting aside this many of its leads. */
const maxSetAside = 100;

/** The name of the queue under which leads are set aside. */
export const leadTimer = "lead_timer";

interface Run {
  readonly deps: Deps;
  readonly now: number;
  readonly at: string;
  /** How often each lead changed between read and commit, by its id. */
  readonly stale: Map<string, number>;
  /** How many leads were set aside, by company. */
  readonly setAside: Map<number, number>;
}

/**
 * Escalates or revokes every lead whose countdown has run out at `now` (epoch milliseconds) and returns their
 * number. Reads a batch again when it changed meanwhile. Sets aside a lead that fails alone and retries it
 * later; throws after the other leads are done.
 */
export async function escalateDue(deps: Deps, now: number): Promise<number> {
  const run: Run = { deps, now, at: formatTimestamp(now), stale: new Map(), setAside: new Map() };
  let count = 0;
  for (let lost = 0; lost < maxIdleReads;) {
    const due = await readDue(run);
    if (due.length === 0) break;
    let done = -countSetAside(run);
    for (const [companyId, leads] of Map.groupBy(due, ({ company_id }) => company_id)) {
      const made = await transitionDue(run, companyId, leads.map(({ id }) => id));
      count += made;
      done += made;
    }
    done += countSetAside(run);
    lost = done > 0 ? 0 : lost + 1;
  }
  const failed = countSetAside(run);
  if (failed > 0) throw new Error(`${failed} leads failed to escalate; ${count} escalated`);
  return count;
}

/** Reads `n`, the number of leads that are due at a moment in epoch milliseconds. */
export function selectDueLeadCount(now: number): Statement {
  return sql`select count(*) as n from leads where ${isDue(formatTimestamp(now))}
    and not ${isLeadSetAside(now)}`;
}

/**
 * Reads `n`, the number of leads with a countdown, and `due`: when the first of them ran out, as a timestamp. Leads
 * that are set aside and those of a deleted company do not count.
 */
export function selectWaitingLeadCount(now: number): Statement {
  return sql`select count(*) as n, min(leads.escalates_at) as due from leads
    where leads.escalates_at is not null and ${isOpen(formatTimestamp(now))}
    and ${isLiveCompany(sql`leads.company_id`)} and not ${isLeadSetAside(now)}`;
}

function isLeadSetAside(now: number): Sql {
  return isSetAside(leadTimer, sql`leads.id`, sql`leads.version`, now);
}

function countSetAside(run: Run): number {
  return [...run.setAside.values()].reduce((sum, number) => sum + number, 0);
}

/** SQL: whether the countdown of a lead that has not expired has run out. Leads of a deleted company wait. */
function isDue(at: string): Sql {
  return sql`leads.escalates_at <= ${at} and ${isOpen(at)} and ${isLiveCompany(sql`leads.company_id`)}`;
}

function isOpen(at: string): Sql {
  return sql`(leads.expires_at is null or leads.expires_at > ${at})`;
}

/**
 * Reads the next due leads. Reads only their ids, so that a row that cannot be read does not fail the others.
 */
async function readDue(run: Run): Promise<{ id: string; company_id: number }[]> {
  const full = [...run.setAside].filter(([, number]) => number >= maxSetAside).map(([companyId]) =>
    companyId
  );
  const [due] = await run.deps.db.read([
    sql`select leads.id, leads.company_id from leads where ${isDue(run.at)}
      and +leads.company_id not in (select value from json_each(${JSON.stringify(full)}))
      and not ${isLeadSetAside(run.now)} order by leads.escalates_at limit ${most} + 0`,
  ]);
  return due!.rows.map(({ id, company_id }) => ({ id: String(id), company_id: Number(company_id) }));
}

/** Escalates or revokes the leads and returns their number. Sets aside leads that fail alone. */
async function transitionDue(run: Run, companyId: number, ids: readonly string[]): Promise<number> {
  return await bisect(ids, {
    act: (some) => transitionTogether(run, companyId, some),
    onFailure: async (id, error) => {
      if (error instanceof Stale) {
        const times = (run.stale.get(id) ?? 0) + 1;
        run.stale.set(id, times);
        if (times < maxStale) return;
      }
      run.setAside.set(companyId, (run.setAside.get(companyId) ?? 0) + 1);
      const version = sql`(select version from leads where id = ${id})`;
      await setRecordAside(
        run.deps,
        { queue: leadTimer, record: id, company_id: companyId, version, error },
        run.now,
      );
    },
  });
}

/** Escalates or revokes the leads in one commit. Skips leads that are no longer due. */
async function transitionTogether(
  { deps, now, at }: Run,
  companyId: number,
  ids: readonly string[],
): Promise<number> {
  const leadIds = sql`select value from json_each(${JSON.stringify(ids)})`;
  const [defined, found, ...cases] = await deps.db.read([
    selectFieldsOfCompany(companyId),
    sql`select ${leadColumns} from leads where leads.id in (${leadIds})
      and +leads.escalates_at <= ${at} and ${isOpen(at)} order by leads.escalates_at, leads.id`,
    ...selectCasesOfLeads({ leads: leadIds }),
  ]);
  if (found!.rows.length === 0) return 0;
  const fields = readCompanyFields(defined!.rows[0]?.fields as string | null ?? null, null);
  const author = { deps, now, at, fields };
  const { leads, statements } = transitionLeads(author, found!.rows.map(readLeadRow).map(planDueTransition));
  const caseWrites = changeCasesOfLeads(author, leads, cases);
  await commit(author, {
    companyId,
    statements: [
      ...statements,
      ...caseWrites.flatMap((write) => write.statements),
      deleteSetAside(leadTimer, ids),
    ],
    events: [
      ...leads.map((lead) => {
        const name = lead.row.state === "revoked" ? "lead_updated" : "lead_escalated";
        return draftLeadEvent(name, lead, presentLead(lead, now, fields.all));
      }),
      ...caseWrites.map(({ event }) => event),
    ],
    notifications: mergeAlike(
      leads.map((lead) =>
        lead.row.state === "revoked" ? draftRevokedNotification(lead) : draftEscalatedNotification(lead)
      ),
    ),
    answer: noContent,
  });
  return leads.length;
}

/** Notifies the users that the lead type names, and the agency users of the lead. */
function draftEscalatedNotification(lead: LeadRecord): NotificationDraft {
  const to = [{ users: lead.type.record.escalation_user_ids }, { agencyOf: lead.row.agency_team_id }];
  return { type: "lead_escalated", to, data: pickRecordIds(lead) };
}

/** Notifies the team and the agency users of the lead. */
function draftRevokedNotification(lead: LeadRecord): NotificationDraft {
  const { team_id, agency_team_id } = lead.row;
  const to = [{ teams: team_id === null ? [] : [team_id] }, { agencyOf: agency_team_id }];
  return { type: "lead_revoked", to, data: pickRecordIds(lead) };
}

/** Merges the notifications of one type to the same recipients into one. */
function mergeAlike(notifications: readonly NotificationDraft[]): NotificationDraft[] {
  const alike = Map.groupBy(notifications, ({ type, to }) => JSON.stringify([type, to]));
  return [...alike.values()].map(([first, ...others]) =>
    ({ ...first!, more: others.map(({ data }) => data) }) as NotificationDraft
  );
}

function planDueTransition(before: LeadRecord): DueTransition {
  const state = moveLead(before.row.state, "due");
  return {
    before,
    state,
    record: {
      kind: state === "revoked" ? "revocation" : "escalation",
      team_id: before.row.team_id,
      escalation_type: countdownOf[before.row.state] ?? null,
    },
  };
}
