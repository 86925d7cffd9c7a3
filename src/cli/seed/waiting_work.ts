/** The tasks and notifications of the users to sign in as. */
import { formatTimestamp, hourMs } from "../../core/time.ts";
import { insertAll, sql } from "../../db/statements.ts";
import { notifications } from "../../delivery/notifications/table.ts";
import type { Database } from "../../platform/database/database.ts";
import { computeTaskStatus, tasks } from "../../sales/tasks/record.ts";
import type { Organisation } from "./organisation.ts";
import type { Random } from "./random.ts";

/** Hours from now until the tasks of a person begin. */
const begins = [-20, 1, 52];
/** Assigned leads about which each person has a notification. */
const notified = 3;

/** Adds tasks of these days and notifications about leads. Users who see no open case, or no assigned lead, get none. */
export async function addWaitingWork(
  db: Database,
  random: Random,
  organisation: Organisation,
  now: number,
): Promise<void> {
  const { companyId, signIns } = organisation;
  const emails = JSON.stringify(Object.values(signIns));
  const [people, cases, leads] = await db.read([
    sql`select u.id, u.user_type, (select json_group_array(m.team_id) from team_members m where m.user_id = u.id)
      as teams from users u where u.company_id = ${companyId} and u.email in (select value from json_each(${emails}))
      order by u.id`,
    sql`select id, team_id from cases where company_id = ${companyId} and status = 'open' order by id limit 200`,
    sql`select l.id, l.team_id, t.id as type_id, t.name from leads l join lead_types t on t.id = l.lead_type_id
      where l.company_id = ${companyId} and l.state = 'assigned' order by l.id limit 200`,
  ]);
  const at = (hours: number) => formatTimestamp(now + hours * hourMs);
  const planned: (typeof tasks.$inferInsert)[] = [];
  const reported: (typeof notifications.$inferInsert)[] = [];
  for (const [turn, { id, user_type, teams }] of people!.rows.entries()) {
    const user_id = Number(id);
    const mine = new Set(JSON.parse(String(teams)) as number[]);
    const isSeen = ({ team_id }: { readonly team_id?: unknown }) =>
      user_type === 1 || mine.has(Number(team_id));
    // The people take turns, so that no two have the same.
    const offered = cases!.rows.filter(isSeen).filter((_, place) => place % people!.rows.length === turn);
    for (const [place, one] of offered.slice(0, begins.length).entries()) {
      const [start_at, end_at] = [at(begins[place]!), at(begins[place]! + 0.5)];
      planned.push({
        id: random.uuid(now),
        company_id: companyId,
        case_id: String(one.id),
        team_id: one.team_id as number | null,
        activity_id: null,
        type: (["call", "email", "meeting"] as const)[place % 3]!,
        user_id,
        start_at,
        end_at,
        completed_at: null,
        stage: computeTaskStatus({ start_at, end_at, completed_at: null }, formatTimestamp(now)),
        note: null,
        created_by: user_id,
        created_at: at(-48),
        updated_at: at(-48),
        version: 1,
      });
    }
    for (const lead of leads!.rows.filter(isSeen).slice(0, notified)) {
      reported.push({
        id: random.uuid(now),
        company_id: companyId,
        user_id,
        type: "lead_assigned",
        sender_id: null,
        data: JSON.stringify({ lead: { id: lead.id }, lead_type: { id: lead.type_id, name: lead.name } }),
        unsent: 0,
        created_at: at(-2),
      });
    }
  }
  // A list without rows is no statement.
  await db.write(
    [insertAll(tasks, planned), insertAll(notifications, reported)].filter(({ args }) => args[0] !== "[]"),
  );
}
