/** The parts of a commit that changes cases: for the verbs of cases, activities, tasks and leads. */
import { ok } from "../../core/answer.ts";
import { checkRecordSize, isLarger, recordBudget } from "../../core/budgets.ts";
import { toJson } from "../../core/json.ts";
import { makeId } from "../../core/ids.ts";
import { type Change, commit, type FieldAuthor } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { asSeen } from "../../fields/field_sets.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import type { EventDraft, Teams } from "../../db/outbox.ts";
import { identifier, insert, insertAll, sql, updateVersioned } from "../../db/statements.ts";
import { selectTeamVersion } from "../../identity/teams/fragments.ts";
import { guardChanged, guardThat, type Statement } from "../../platform/database/database.ts";
import { changeContact } from "../../customers/contacts/write.ts";
import { type CaseStatus, chooseContactStatus, sortKeys } from "./lifecycle.ts";
import { type Moment, presentCase, presentCaseEntry } from "./present.ts";
import type { LeadSummary } from "../case_parts/leads.ts";
import type { CaseContact, FullCase, MilestoneState } from "./parts.ts";
import { caseMilestones, type CaseRow, cases, caseStatusChanges } from "./record.ts";

/** The case after a change, its statements and its event. */
export interface CaseWrite {
  readonly of: FullCase;
  readonly statements: Statement[];
  readonly event: EventDraft;
}

export type CaseChanges = Partial<Omit<CaseRow, "seq" | "id" | "company_id" | "case_number" | "version">>;

/**
 * Changes a case; guards the version that was read. `shown` has the changed parts of other records, whose own
 * statements come first. A change of the milestones, activities or tasks of a case must change the case too,
 * so that this guard covers them.
 */
export function changeCase(
  author: FieldAuthor,
  before: FullCase,
  changes: CaseChanges,
  shown: Partial<FullCase> = {},
): CaseWrite {
  const merged = {
    ...before,
    ...shown,
    effective_at: author.at,
    ...changes,
    updated_at: author.at,
    version: before.version + 1,
  };
  const keys = sortKeys(merged);
  const of: FullCase = { ...merged, ...keys };
  return {
    of,
    statements: [
      guardShownInCase(of),
      // Before the case: the facts of the case use the times of its status changes.
      ...insertStatusChange(author, before, of),
      updateVersioned(
        cases,
        { effective_at: of.effective_at, ...changes, ...keys, updated_at: author.at },
        before,
      ),
      guardChanged("case"),
    ],
    event: draftCaseEvent("case_updated", of, author, before),
  };
}

/** Records a change of status for the timeline, at the moment of the activity that made it. */
function insertStatusChange(author: FieldAuthor, before: FullCase, after: FullCase): Statement[] {
  if (after.status === before.status) return [];
  return [insert(caseStatusChanges, {
    id: makeId(author.now),
    case_id: after.id,
    at: after.effective_at,
    from_status: before.status,
    to_status: after.status,
    reason: after.decline_reason,
    user_id: author.caller?.userId ?? null,
  })];
}

/** Adds an accepted lead to an open case, which then shows its details. */
export function addLead(
  author: FieldAuthor,
  before: FullCase,
  lead: LeadSummary,
  shown: Partial<FullCase> = {},
): CaseWrite {
  return changeCase(author, before, {}, { ...shown, lead });
}

/** Gives the contact the status that follows from a case of this status. */
export function changeContactStatus(
  author: FieldAuthor,
  contact: CaseContact,
  status: CaseStatus,
): { contact: CaseContact; statements: Statement[]; events: EventDraft[] } {
  const after = chooseContactStatus(contact.status, status);
  if (after === contact.status) return { contact, statements: [], events: [] };
  const write = changeContact(author, contact, {}, { status: after });
  return {
    contact: { ...write.contact, contact_team: contact.contact_team },
    statements: write.statements,
    events: [write.event],
  };
}

/** Notifies the user of the case, unless that is the caller. */
export function draftOwnerNotifications({ caller }: Context, of: FullCase): NotificationDraft[] {
  if (of.user_id === null) return [];
  const data = { user: { id: caller.userId }, case: { id: of.id } };
  return [{ type: "case_owner", to: [{ users: [of.user_id] }], data, except: caller.userId }];
}

export function draftCaseEvent(
  name: EventDraft["name"],
  of: FullCase,
  author: FieldAuthor,
  before?: Teams,
): EventDraft {
  const { id, team_id, created_by } = of;
  return {
    name,
    entity: { type: "case", id, team_id, created_by, before },
    // Written here, because verbs check its size.
    body: toJson(presentCase(of, author, author.fields.all)),
  };
}

/** Rejects the batch when a record that the case shows has changed since it was read. */
export function guardShownInCase(of: FullCase): Statement {
  const { account, contact, relations_path_id, path_version } = of;
  const has = (table: string, id: string, version: number) =>
    sql`exists (select 1 from ${identifier(table)} where id = ${id} and version = ${version})`;
  return guardThat(
    "shown",
    sql`${has("accounts", account.id, account.version)} and ${has("contacts", contact.id, contact.version)}
      and ${has("relations_paths", relations_path_id, path_version)}
      and ${selectTeamVersion(of.team_id)} is ${of.team?.version ?? null}`,
  );
}

/** Records the milestones that the activity does. */
export function insertMilestones(
  caseId: string,
  activityId: string,
  milestones: readonly MilestoneState[],
): Statement[] {
  if (milestones.length === 0) return [];
  return [insertAll(
    caseMilestones,
    milestones.map(({ id, done_at }) => ({
      case_id: caseId,
      activity_type_id: id,
      activity_id: activityId,
      done_at: done_at!,
    })),
  )];
}

/**
 * Throws 422 `max` at `path` for a case that grows beyond the budget of a record: its tasks, product details and
 * latest activity, not its account and contact.
 */
export function checkCaseSize(moment: Moment, before: FullCase, after: CaseWrite, path: string): void {
  // Cases are seldom so large: checks the size of the existing body before it presents the entry.
  if (!isLarger(toJson(after.event.body).text, recordBudget)) return;
  checkRecordSize(presentCaseEntry(after.of, moment), path, () => presentCaseEntry(before, moment));
}

/** Commits a change of a case, with statements before and after its own, and returns the case. */
export async function commitCase(
  ctx: Context,
  { of, statements, event }: CaseWrite,
  { before = [], after = [], events = [], notifications = [] }: {
    readonly before?: readonly Statement[];
    readonly after?: readonly Statement[];
    readonly events?: readonly EventDraft[];
    readonly notifications?: Change["notifications"];
  } = {},
) {
  return await commit(ctx, {
    statements: [...before, ...statements, ...after],
    events: [...events, event],
    notifications,
    answer: ok(asSeen(ctx.fields, event.body, (fields) => presentCase(of, ctx, fields))),
  });
}
