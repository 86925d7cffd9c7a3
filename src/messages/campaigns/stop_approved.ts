/**
 * Stops approved campaigns when something that they name is removed, so that none of them reaches more contacts than
 * it was approved for: one that waits becomes a draft again, one that is being sent ends.
 */
import type { StopFilters } from "../../customers/fields/stop_filters.ts";
import type { GroupDeletion } from "../../identity/groups/deletion.ts";
import type { TeamPart } from "../../identity/teams/deletion.ts";
import type { Author } from "../../db/commit.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { namesPlaceholder } from "../../customers/fields/placeholders.ts";
import { endAllSending } from "./stop.ts";
import { reasons } from "./record.ts";

/**
 * Stops the approved campaigns among `rows` (SQL over their columns), and notifies their users and the admins.
 * `why`: the rest of the sentence "waits for approval again, because …".
 */
export function stopApproved(
  author: Author,
  companyId: number,
  rows: Sql,
  why: string,
): Statement[] {
  // While the recipients are written, none was sent a message yet.
  const waiting = sql`company_id = ${companyId} and status = 'pending'
    and (stage is null or stage = 'recipients') and ${rows}`;
  const sending = sql`company_id = ${companyId} and stage = 'sending' and ${rows}`;
  return [
    notifyUsers(author, companyId, waiting, `waits for approval again, because ${why}.`),
    notifyUsers(author, companyId, sending, `was stopped while it was sent, because ${why}.`),
    sql`delete from campaign_messages where campaign_id in (select id from campaigns
      where ${waiting} and stage = 'recipients')`,
    sql`update campaigns set status = 'draft', stage = null, snapshot = null,
      stopped_reason = ${waitsAgain(why)}, updated_at = ${author.at}, version = version + 1 where ${waiting}`,
    ...endAllSending(author, sending, `It was stopped while it was sent, because ${why}.`),
  ];
}

/** The reason of a draft that was approved. */
export function waitsAgain(why: string): string {
  return `It waits for approval again, because ${why}.`;
}

/** Notifies the users of the campaigns of `rows` and the admins; nobody if there is none. */
function notifyUsers(author: Author, companyId: number, rows: Sql, message: string): Statement {
  const isAdmin = sql`select id from users where company_id = ${companyId} and user_type = 1
    and deleted_at is null and exists (select 1 from campaigns where ${rows})`;
  // Each user is shown the own campaigns alone, and an admin all.
  const names = sql`(select group_concat(name, ', ') from campaigns where ${rows}
    and (user_id = r.user_id or exists (select 1 from users a where a.id = r.user_id and a.user_type = 1)))`;
  return author.deps.notify(author, companyId, {
    type: "custom",
    to: [{ select: sql`select user_id from campaigns where ${rows} union ${isAdmin}` }],
    data: { user: author.caller ? { id: author.caller.userId } : null },
    message: sql`${names} || ${`: ${message}`}`,
  });
}

/** Stops the campaigns of a deleted group. */
export const campaignsOfGroup: GroupDeletion = (author, companyId, groupId) =>
  stopApproved(
    author,
    companyId,
    sql`owner = ${`g${groupId}`}`,
    reasons.group,
  );

/** Stops the campaigns of a deleted team before they go to the successor, whose customers are others. */
export const campaignsOfTeam: TeamPart = {
  atOnce: (author, { company_id, team_id }) =>
    stopApproved(author, company_id, sql`owner = ${`t${team_id}`}`, reasons.team),
};

/** Stops the campaigns whose filters, texts or templates name something whose meaning ends. */
export const stopCampaignsNaming: StopFilters = (author, companyId, names, why, placeholder) => {
  const isFiltered = names(sql`filter`);
  if (placeholder === undefined) return stopApproved(author, companyId, isFiltered, why);
  const holds = (text: Sql) => namesPlaceholder(text, sql`${placeholder}`);
  const rows = sql`(${isFiltered} or ${holds(sql`subject`)} or ${holds(sql`content`)} or template_id in
    (select t.id from templates t where t.company_id = ${companyId} and ${holds(sql`t.content`)}))`;
  return stopApproved(author, companyId, rows, why);
};
