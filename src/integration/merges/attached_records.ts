/** Files, messages of campaigns and the company's own account, which move without events. */
import { type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { PairIds } from "./moved_columns.ts";
import type { Renamed } from "./kept.ts";
import type { MergedType } from "./table.ts";

/** Counts what `moveAttached` moves: a file that both have, or a campaign sent to both, stays as it is. */
export function countAttached({ account, contact }: PairIds): Statement {
  const files = (type: MergedType, { from, into }: PairIds["account"]) =>
    sql`(select count(*) from attachments a where a.entity_type = ${type} and a.entity_id = ${from}
      and not exists (select 1 from attachments b where b.entity_type = ${type} and b.entity_id = ${into}
      and b.file_id = a.file_id))`;
  return sql`select ${files("account", account)} + ${files("contact", contact)} as files,
    (select count(*) from campaign_messages m where m.contact_id = ${contact.from} and not exists (
    select 1 from campaign_messages o where o.campaign_id = m.campaign_id and o.contact_id = ${contact.into}))
    as campaign_messages`;
}

/** Moves them, and keeps where they were. */
export function moveAttached(mergeId: string, companyId: number, renamed: Renamed): Statement[] {
  const { type, from, into } = renamed;
  const keep = sql`insert into merge_rows (merge_id, table_name, row_id, column_name, before, after)`;
  const files = [
    sql`${keep} select ${mergeId}, 'attachments', a.file_id, a.entity_type, json_object('entity_id', a.entity_id,
      'attached_by', a.attached_by, 'attached_at', a.attached_at), iif(exists (select 1 from attachments b
      where b.entity_type = ${type} and b.entity_id = ${into} and b.file_id = a.file_id), null, ${into})
      from attachments a where a.entity_type = ${type} and a.entity_id = ${from}`,
    sql`update or ignore attachments set entity_id = ${into} where entity_type = ${type} and entity_id = ${from}`,
  ];
  if (type === "account") {
    return [
      ...files,
      sql`${keep} select ${mergeId}, 'companies', id, 'default_account_id', ${from}, ${into}
        from companies where id = ${companyId} and default_account_id = ${from}`,
      sql`update companies set default_account_id = ${into}, version = version + 1
        where id = ${companyId} and default_account_id = ${from}`,
    ];
  }
  return [
    ...files,
    sql`${keep} select ${mergeId}, 'campaign_messages', m.id, 'contact_id', ${from}, ${into}
      from campaign_messages m where m.contact_id = ${from} and not exists (select 1 from campaign_messages o
      where o.campaign_id = m.campaign_id and o.contact_id = ${into})`,
    sql`update campaign_messages set contact_id = ${into} where id in (select row_id from merge_rows
      where merge_id = ${mergeId} and table_name = 'campaign_messages')`,
    // One campaign has one message of a contact. A trigger clears those that are left, with their contact.
    sql`${keep} select ${mergeId}, 'cleared_messages', m.id, 'data', json_object('status', m.status, 'email', m.email,
      'email_key', m.email_key, 'subject', m.subject, 'values', m."values", 'object', m.object), null
      from campaign_messages m where m.contact_id = ${from}`,
  ];
}

/** Moves back what is still where the merge has moved it. The records that went are there again. */
export function returnAttached(mergeId: string, companyId: number): Statement[] {
  const rows = (table: string) => sql`merge_rows r where r.merge_id = ${mergeId} and r.table_name = ${table}`;
  return [
    sql`insert or ignore into attachments (entity_type, entity_id, file_id, company_id, attached_by, attached_at)
      select r.column_name, r.before ->> 'entity_id', r.row_id, ${companyId}, r.before ->> 'attached_by',
      r.before ->> 'attached_at' from ${rows("attachments")}
      and exists (select 1 from files f where f.id = r.row_id)
      and (r.after is null or exists (select 1 from attachments a where a.entity_type = r.column_name
      and a.entity_id = r.after and a.file_id = r.row_id))`,
    sql`delete from attachments where (entity_type, entity_id, file_id) in (
      select r.column_name, r.after, r.row_id from ${rows("attachments")} and r.after is not null)`,
    sql`update campaign_messages set contact_id = (select r.before from ${rows("campaign_messages")}
      and r.row_id = campaign_messages.id)
      where id in (select cast(r.row_id as integer) from ${rows("campaign_messages")})
      and contact_id = (select r.after from ${rows("campaign_messages")}
      and r.row_id = campaign_messages.id)`,
    ...returnCleared(sql`merge_rows r where r.merge_id = ${mergeId} and r.table_name = 'cleared_messages'`),
    sql`update companies set default_account_id = (select r.before from ${rows("companies")}),
      version = version + 1 where id = ${companyId}
      and default_account_id = (select r.after from ${rows("companies")})`,
    sql`update merges set root_id = (select r.before from ${rows("merges")} and r.row_id = merges.id)
      where id in (select r.row_id from ${rows("merges")})`,
    sql`update merges set team_id = iif(entity_type = 'account', (select a.team_id from accounts a where a.id = root_id),
      (select c.team_id from contacts c where c.id = root_id))
      where id in (select r.row_id from ${rows("merges")})`,
  ];
}

/** Gives messages back what they had. One that waited was skipped meanwhile, and stays so. */
function returnCleared(cleared: Sql): Statement[] {
  const ids = sql`select cast(r.row_id as integer) from ${cleared}`;
  const before = sql`(select r.before from ${cleared} and r.row_id = campaign_messages.id)`;
  return [
    sql`update objects set removed_from = null where key in (select r.before ->> 'object' from ${cleared})`,
    sql`update or ignore campaign_messages set email = ${before} ->> 'email', email_key = ${before} ->> 'email_key',
      subject = ${before} ->> 'subject', "values" = ${before} ->> 'values',
      object = (select o.key from objects o where o.key = ${before} ->> 'object') where id in (${ids})`,
  ];
}
