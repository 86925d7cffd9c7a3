/** The timers of leads: whoever runs them, however many at once, each lead that is due moves exactly once. */
import { noContent } from "../../core/answer.ts";
import { Stale } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import { readCompanyFields } from "../../db/fields.ts";
import { statement } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { errorFields } from "../../platform/log.ts";
import { leadEvent, movedLead } from "./change.ts";
import { countdownOf, moved } from "./lifecycle.ts";
import { escalatedNotice, revokedNotice } from "./notices.ts";
import { presentLead } from "./present.ts";
import { type Lead, leadOfRow, leadSource } from "./record.ts";

/** Leads in one commit: few enough that it holds the write lock for well under 100 ms. */
const most = 50;
/** Batches in a row that others may take away before this run leaves the rest to the next. */
const patience = 20;

/**
 * Escalates or revokes every lead whose countdown has run out at `now` (epoch milliseconds); gives how many
 * this call moved. A batch that somebody else has touched meanwhile is read again. Where the leads of a company
 * cannot be moved, those of the others are, before the error is thrown.
 */
export async function escalateDue(deps: Deps, now: number): Promise<number> {
  const at = formatTimestamp(now);
  const failed = new Set<number>();
  let count = 0;
  let lost = 0;
  while (lost < patience) {
    const due = await readDue(deps, at, failed);
    if (due.length === 0) break;
    for (const [companyId, leads] of Map.groupBy(due, ({ row }) => row.company_id)) {
      try {
        await moveDue(deps, now, companyId, leads);
        count += leads.length;
        lost = 0;
      } catch (error) {
        if (error instanceof Stale) lost++;
        else {
          failed.add(companyId);
          deps.log.error({ event: "timers_failed", company_id: companyId, ...errorFields(error) });
        }
      }
    }
  }
  if (failed.size > 0) throw new Error(`the leads of ${failed.size} companies could not be moved`);
  return count;
}

/**
 * Marks the leads that have expired at `now`, so that counters leave them out, and ends their countdowns
 * without a move; gives how many.
 */
export async function hideExpired(deps: Deps, now: number): Promise<number> {
  const at = formatTimestamp(now);
  let count = 0;
  for (;;) {
    const [hidden] = await deps.db.write([statement(
      "update leads set hidden = 1, escalates_at = null, version = version + 1 where seq in " +
        "(select seq from leads where hidden = 0 and expires_at <= ? limit ? + 0)",
      at,
      most * 5,
    )]);
    if (hidden!.changes === 0) return count;
    count += hidden!.changes;
  }
}

async function readDue(deps: Deps, at: string, without: ReadonlySet<number>): Promise<Lead[]> {
  const [due] = await deps.db.read([statement(
    `select ${leadSource.columns} from leads where leads.escalates_at <= ? ` +
      "and (leads.expires_at is null or leads.expires_at > ?) " +
      "and +leads.company_id not in (select value from json_each(?)) order by leads.escalates_at limit ? + 0",
    at,
    at,
    JSON.stringify([...without]),
    most,
  )]);
  return due!.rows.map(leadOfRow);
}

async function moveDue(deps: Deps, now: number, companyId: number, due: readonly Lead[]): Promise<void> {
  const fields = await readCompanyFields(deps.db, companyId);
  const author = { deps, now, at: formatTimestamp(now), fields };
  const writes = due.map((lead) => {
    const state = moved(lead.row.state, "due");
    return movedLead(author, lead, state, {
      kind: state === "revoked" ? "revocation" : "escalation",
      team_id: lead.row.team_id,
      escalation_type: countdownOf[lead.row.state] ?? null,
    });
  });
  await commit(author, {
    companyId,
    statements: writes.flatMap(({ statements }) => statements),
    events: writes.map(({ lead }) => {
      const name = lead.row.state === "revoked" ? "lead_updated" : "lead_escalated";
      return leadEvent(name, lead, presentLead(lead, now, fields.all));
    }),
    notices: writes.map(({ lead }) =>
      lead.row.state === "revoked" ? revokedNotice(lead) : escalatedNotice(lead)
    ),
    answer: noContent,
  });
}
