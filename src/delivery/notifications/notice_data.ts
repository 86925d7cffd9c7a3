/** What a notification shows of an e-mail and its contact, as they are now. */
import { literal, sql } from "../../db/statements.ts";

/** SQL: a member of the scope of `part`, a kept value of the e-mail `m`. */
const selectScope = (member: string) => sql`m.parts ->> (part.fullkey || ${literal(`.scope.${member}`)})`;

/** SQL: whether the subject of the e-mail `m` was filled with a field that the user of `notice` does not see. */
const hasHidden = sql`exists (select 1 from json_each(m.parts, '$.values') part
  join users reader on reader.id = notice.user_id and reader.user_type <> 1
  where json_type(m.parts, part.fullkey || '.scope') = 'object'
    and instr(m.parts ->> '$.subject', part.key) > 0
    and not exists (select 1 from team_members own join teams t on t.id = own.team_id
      where own.user_id = reader.id
        and (t.id = ${selectScope("team_id")} or t.group_id = ${selectScope("group_id")})))`;

/**
 * SQL: the data of the alias `notice`, with what the e-mail and the contact are now; null for one that is gone.
 */
export const noticeData = sql`case when notice.type in ('incoming_email', 'email_opened')
  then json_set(notice.data, '$.email', json((
    select json_object('id', m.id, 'correspondence_id', m.id, 'subject', iif(${hasHidden}, null, m.subject))
    from correspondences m
    where m.id = notice.data ->> '$.email.id' and m.company_id = notice.company_id)),
    '$.contact', json((
    select json_object('id', c.id, 'first_name', c.first_name, 'last_name', c.last_name,
    'account_id', c.account_id) from contacts c
    where c.id = notice.data ->> '$.contact.id' and c.company_id = notice.company_id)))
  else notice.data end`;
