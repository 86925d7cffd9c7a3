/** Campaigns of deleted users. */
import { type Sql, sql } from "../../db/statements.ts";
import { formatCount, selectUserName, type UserReassignment } from "../../identity/users/deletion.ts";
import { stopApproved, waitsAgain } from "./stop_approved.ts";
import type { Statement } from "../../platform/database/database.ts";
import { reasons } from "./record.ts";

/**
 * A deleted user's campaigns go to the successor, where waiting ones become drafts and those that are being sent
 * continue. Without a successor nobody is answerable for them: waiting ones become drafts again, those that are being
 * sent end, and the admins are notified.
 */
export const campaignReassignment: UserReassignment = {
  step({ company_id, user_id }) {
    const own = sql`company_id = ${company_id} and user_id = ${user_id}`;
    const waiting = sql`${own} and status = 'pending' and stage is null`;
    return {
      reads: [
        sql`select count(*) as n, ${selectUserName(user_id)} as name from campaigns where ${waiting}`,
        sql`select id from users where company_id = ${company_id} and user_type = 1 and deleted_at is null
          and id <> ${user_id}`,
      ],
      apply(author, successor, [found, admins]) {
        const { at, caller } = author;
        const change = (set: Statement, rows: Statement) =>
          sql`update campaigns set ${set}, updated_at = ${at}, version = version + 1 where ${rows}`;
        if (successor !== null) {
          return {
            statements: [
              sendAs(sql`${own} and stage = 'sending'`, successor.id),
              forgetSender(sql`${own} and stage is not 'sending'`),
              // The successor sees other contacts, so that the campaigns would reach others. The recipients of those
              // that are being sent are known.
              ...stopApproved(
                author,
                company_id,
                sql`user_id = ${user_id} and stage is not 'sending'`,
                reasons.user,
              ),
              change(sql`user_id = ${successor.id}`, own),
            ],
            events: [],
            more: false,
          };
        }
        const { n, name } = found!.rows[0]!;
        const campaigns = formatCount(Number(n), "campaign");
        return {
          statements: [
            forgetSender(own),
            ...stopApproved(
              author,
              company_id,
              sql`user_id = ${user_id} and stage is not null`,
              reasons.user,
            ),
            change(
              sql`status = 'draft', stopped_reason = ${waitsAgain(reasons.user)}`,
              waiting,
            ),
          ],
          events: [],
          notifications: n === 0 ? [] : [{
            type: "custom",
            to: [{ users: admins!.rows.map(({ id }) => Number(id)) }],
            data: { user: caller ? { id: caller.userId } : null },
            message: `${campaigns} of ${name}, a deleted user, wait for approval again.`,
          }],
          more: false,
        };
      },
    };
  },
};

/** The messages that are left show the successor, and answers to them reach the successor. */
function sendAs(campaigns: Sql, successorId: number): Statement {
  return sql`update campaigns set snapshot = json_set(snapshot, '$.user', (select json_object('first_name', first_name,
    'last_name', last_name, 'email', email, 'phone_number', phone_number, 'signature_email', signature_email)
    from users where id = ${successorId})) where ${campaigns} and snapshot is not null`;
}

/** Of a deleted user the name alone stays. */
function forgetSender(campaigns: Sql): Statement {
  return sql`update campaigns set snapshot = json_set(snapshot, '$.user.email', '', '$.user.phone_number', null,
    '$.user.signature_email', null) where ${campaigns} and snapshot is not null`;
}
