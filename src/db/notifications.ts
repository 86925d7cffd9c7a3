/** Notifications as statements of the batch that causes them: a row for each user who is reached. */
import { lifetimes } from "../core/lifetimes.ts";
import { type Named, type NotificationType, notified } from "../core/notifications.ts";
import type { Statement, Value } from "../platform/database/database.ts";
import type { Author } from "./commit.ts";
import { stampedId } from "./outbox.ts";
import { raw, rawSql, type Sql, sql } from "./statements.ts";

/**
 * Whom a notice reaches: users, the members of teams, or the users with the right `agency` in a team (null: in the
 * company).
 */
export type Recipients =
  | { readonly users: readonly number[] }
  | { readonly teams: readonly number[] }
  | { readonly agencyOf: number | null };

interface Notifying<T extends NotificationType> {
  readonly type: T;
  /** Users of the company that are not deleted get it, each once. */
  readonly to: readonly Recipients[];
  /** The records that it tells of, by id: what it shows of them is read in the batch, after its changes. */
  readonly data: Named<T>;
  /** More of the same, each a notification of its own to those who are reached. */
  readonly more?: readonly Named<T>[];
  /** A user who gets none. */
  readonly except?: number | undefined;
  /** The words, where they say more than the data; of a custom one its sender wrote them. */
  readonly message?: string;
}

/** Something that users are told of, as `Change.notices` takes it. */
export type NotificationDraft = { [T in NotificationType]: Notifying<T> }[NotificationType];

/** Milliseconds for which one that is not listed is kept: longer than sending it is tried. */
const keptFor = lifetimes.unlistedNotification;

/**
 * Makes the notifications of a notice, one for each user who wants them in any way; its changes tell how many. Who
 * is reached, and how, is decided as it is at this moment.
 */
export function notificationStatement(
  author: Author,
  companyId: number,
  notice: NotificationDraft,
): Statement {
  const { type, except = null, message = null } = notice;
  const reached = notice.to.map((to) => reachedBy(to, companyId));
  const user = "user" in notice.data ? notice.data.user : null;
  const pushing = author.deps.pusher !== null;
  // A window function costs as much as all the rest of it: only who tells one user of several things needs it.
  const [time, id] = stampedId(author.now, notice.more?.length ? "row_number() over ()" : "r.user_id");
  const told = toldOf(notice, companyId);
  const args: Value[] = [
    ...told.args,
    type,
    companyId,
    except,
    ...reached.flatMap((sql) => sql.args),
    time,
    type,
    user?.id ?? null,
    message,
    author.now + keptFor,
    author.at,
  ];
  return {
    sql:
      "insert into notifications (id, company_id, user_id, type, sender_id, data, message, unsent, expires_at, " +
      `created_at) with told (number, data) as materialized (${told.sql}), ` +
      "reached (user_id, company_id, app, mail, push) as materialized (" +
      "select u.id, u.company_id, coalesce(p.app, 1), u.email_notifications = 1 and coalesce(p.mail, 1), " +
      `${pushing ? wantsPush : "0"} ` +
      "from users u left join notification_preferences p on p.user_id = u.id and p.type = ? " +
      "where +u.company_id = ? and u.deleted_at is null and u.id is not ? " +
      `and u.id in (${reached.map(({ sql: text }) => text).join(" union ") || "null"})) ` +
      `select ${id}, r.company_id, r.user_id, ?, ?, t.data, ?, r.mail + 2 * r.push, iif(r.app, null, ?), ? ` +
      "from told t cross join reached r where r.app or r.mail or r.push order by t.number, r.user_id",
    args,
  };
}

const wantsPush = "coalesce(p.push, 1) and exists (select 1 from devices d where d.user_id = u.id)";

/** SQL: the ids of the users; of any company, deleted ones too. */
function reachedBy(to: Recipients, companyId: number): Sql {
  if ("users" in to) return sql`select value from json_each(${JSON.stringify(to.users)})`;
  if ("teams" in to) {
    return sql`select m.user_id from json_each(${
      JSON.stringify(to.teams)
    }) t join team_members m on m.team_id = t.value`;
  }
  return to.agencyOf === null
    ? sql`select a.id from users a where a.company_id = ${companyId} and a.deleted_at is null and ${
      rawSql(hasAgency)
    }`
    : sql`select a.id from team_members m join users a on a.id = m.user_id where m.team_id = ${to.agencyOf} and ${
      rawSql(hasAgency)
    }`;
}

/** Admins have every right. */
const hasAgency =
  "(a.user_type = 1 or exists (select 1 from user_roles r join role_rights g on g.role_id = r.role_id " +
  "where r.user_id = a.id and g.right_name = 'agency'))";

/** SQL: what is shown of the records, as JSON; who caused it is shown as that user is when it is read. */
function toldOf({ type, data, more = [] }: NotificationDraft, companyId: number): Sql {
  const names = notified[type].filter((name) => name !== "user");
  const parts = names.map((name) => `'${name}', ${shown[name](`n.value ->> '${name}'`)}`);
  const scoped = ["case", "lead_type", "webhook"];
  const companies = names.filter((name) => scoped.includes(name)).map(() => companyId);
  const ids = [data, ...more].map((each) => {
    const named = each as Readonly<Record<string, { readonly id: string | number } | null>>;
    return Object.fromEntries(names.map((name) => [name, named[name]!.id]));
  });
  return raw(
    `select n.key, json_object(${parts.join(", ")}) from json_each(?) n`,
    ...companies,
    JSON.stringify(ids),
  );
}

const onlyId = (id: string) => `json_object('id', ${id})`;

const shown = {
  case: (id: string) =>
    "json((select json_object('id', c.id, 'case_number', c.case_number, 'relations_path_name', p.name) from cases c " +
    `left join relations_paths p on p.id = c.relations_path_id where c.id = ${id} and c.company_id = ?))`,
  task: onlyId,
  lead: onlyId,
  lead_type: (id: string) =>
    "json((select json_object('id', t.id, 'name', t.name) from lead_types t " +
    `where t.id = ${id} and t.company_id = ?))`,
  webhook: (id: string) =>
    "json((select json_object('id', w.id, 'target_url', w.target_url) from webhooks w " +
    `where w.id = ${id} and w.company_id = ?))`,
} as const;
