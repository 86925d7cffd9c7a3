/** The timers of leads: whoever runs them, however many at once, each lead that is due moves exactly once. */
import { noContent } from "../../core/answer.ts";
import { Stale } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import { fieldsOfCompany } from "../../db/custom_values.ts";
import { companyFields } from "../../db/fields.ts";
import { sql, statement } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { DatabaseUnavailable, type Statement } from "../../platform/database/database.ts";
import { errorFields } from "../../platform/log.ts";
import { leadEvent, transitionTogether } from "./change.ts";
import { countdownOf, transition } from "./lifecycle.ts";
import { escalatedNotification, revokedNotification, together } from "./notifications.ts";
import { presentLead } from "./present.ts";
import { type Lead, leadOfRow, leadSource } from "./record.ts";
import { casesAfter, casesOfLeads } from "./shown_in_cases.ts";
import { freed, isSetAside, setAside, setAsideAt } from "./timer_retries.ts";

/** Leads in one commit: few enough that it holds the write lock for well under 100 ms. */
const most = 50;
/** Readings in a row that did nothing, as others were faster, before this run leaves the rest to the next. */
const patience = 20;
/** How often a lead that is due may be found changed before it counts as one that cannot be moved. */
const mostStale = 5;
/** Leads of one company set aside in a run, before the run leaves the company to the next. */
const mostStuck = 100;

interface Run {
  readonly deps: Deps;
  readonly now: number;
  readonly at: string;
  /** How often each lead was found changed, by its id. */
  readonly stale: Map<string, number>;
  /** How many leads were set aside, by company. */
  readonly stuck: Map<number, number>;
}

/**
 * Escalates or revokes every lead whose countdown has run out at `now` (epoch milliseconds); gives how many
 * this call moved. A batch that somebody else has touched meanwhile is read again. A lead that cannot be moved
 * is set aside with a line in the log and tried again later; the others are moved, before an error tells of it.
 */
export async function escalateDue(deps: Deps, now: number): Promise<number> {
  const run: Run = { deps, now, at: formatTimestamp(now), stale: new Map(), stuck: new Map() };
  let count = 0;
  for (let lost = 0; lost < patience;) {
    const due = await readDue(run);
    if (due.length === 0) break;
    let done = -stuckIn(run);
    for (const [companyId, leads] of Map.groupBy(due, ({ company_id }) => company_id)) {
      const gone = await moveDue(run, companyId, leads.map(({ id }) => id));
      count += gone;
      done += gone;
    }
    done += stuckIn(run);
    lost = done > 0 ? 0 : lost + 1;
  }
  const stuck = stuckIn(run);
  if (stuck > 0) throw new Error(`${stuck} leads could not be moved; ${count} were`);
  return count;
}

/** Reads `n`: how many leads `escalateDue` would move at a moment (epoch milliseconds). */
export function dueLeads(now: number): Statement {
  const at = formatTimestamp(now);
  return statement(
    `select count(*) as n from leads where leads.escalates_at <= ? and ${isOpen} and not ${isSetAside}`,
    at,
    at,
    ...setAsideAt(now),
  );
}

function stuckIn({ stuck }: Run): number {
  return [...stuck.values()].reduce((sum, number) => sum + number, 0);
}

const isOpen = "(leads.expires_at is null or leads.expires_at > ?)";

/** Which leads are next: no more than their ids, so that none that cannot be read is in the way of the others. */
async function readDue({ deps, now, at, stuck }: Run): Promise<{ id: string; company_id: number }[]> {
  const full = [...stuck].filter(([, number]) => number >= mostStuck).map(([companyId]) => companyId);
  const [due] = await deps.db.read([statement(
    `select leads.id, leads.company_id from leads where leads.escalates_at <= ? and ${isOpen} ` +
      `and +leads.company_id not in (select value from json_each(?)) and not ${isSetAside} ` +
      "order by leads.escalates_at limit ? + 0",
    at,
    at,
    JSON.stringify(full),
    ...setAsideAt(now),
    most,
  )]);
  return due!.rows.map(({ id, company_id }) => ({ id: String(id), company_id: Number(company_id) }));
}

/** Moves the leads of the ids, and where they cannot be moved together, a half and then the other; how many. */
async function moveDue(run: Run, companyId: number, ids: readonly string[]): Promise<number> {
  try {
    return await moveAtOnce(run, companyId, ids);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const [id] = ids;
    if (ids.length > 1) {
      const half = ids.length >> 1;
      return await moveDue(run, companyId, ids.slice(0, half)) +
        await moveDue(run, companyId, ids.slice(half));
    }
    if (error instanceof Stale) {
      const times = (run.stale.get(id!) ?? 0) + 1;
      run.stale.set(id!, times);
      if (times < mostStale) return 0;
    }
    const attempts = await setAside(run.deps.db, id!, run.now);
    run.stuck.set(companyId, (run.stuck.get(companyId) ?? 0) + 1);
    run.deps.log.error({
      event: "timer_failed",
      company_id: companyId,
      lead_id: id,
      attempts,
      ...errorFields(error),
    });
    return 0;
  }
}

/** In one commit. Leads that are no longer due are left alone. */
async function moveAtOnce(
  { deps, now, at }: Run,
  companyId: number,
  ids: readonly string[],
): Promise<number> {
  const [defined, found, ...cases] = await deps.db.read([
    fieldsOfCompany(companyId),
    statement(
      `select ${leadSource.columns} from leads where leads.id in (select value from json_each(?)) ` +
        `and +leads.escalates_at <= ? and ${isOpen} order by leads.escalates_at, leads.id`,
      JSON.stringify(ids),
      at,
      at,
    ),
    ...casesOfLeads({ leads: sql`select value from json_each(${JSON.stringify(ids)})` }),
  ]);
  if (found!.rows.length === 0) return 0;
  const fields = companyFields(defined!.rows[0]?.fields as string | null ?? null, null);
  const author = { deps, now, at, fields };
  const { leads, statements } = transitionTogether(author, found!.rows.map(leadOfRow).map(runOut));
  const shown = casesAfter(author, leads, cases);
  await commit(author, {
    companyId,
    statements: [...statements, ...shown.flatMap((write) => write.statements), freed(ids)],
    events: [
      ...leads.map((lead) => {
        const name = lead.row.state === "revoked" ? "lead_updated" : "lead_escalated";
        return leadEvent(name, lead, presentLead(lead, now, fields.all));
      }),
      ...shown.map(({ event }) => event),
    ],
    notifications: together(
      leads.map((lead) =>
        lead.row.state === "revoked" ? revokedNotification(lead) : escalatedNotification(lead)
      ),
    ),
    answer: noContent,
  });
  return leads.length;
}

function runOut(before: Lead) {
  const state = transition(before.row.state, "due");
  return {
    before,
    state,
    move: {
      kind: state === "revoked" ? "revocation" : "escalation",
      team_id: before.row.team_id,
      escalation_type: countdownOf[before.row.state] ?? null,
    },
  };
}
