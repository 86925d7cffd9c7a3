/** SQL: the ids of what goes with deleted customers, and of what stays and names them. */
import { raw, type Sql, sql } from "../../db/statements.ts";
import type { Selection } from "../../customers/removal/dependents.ts";

/** Cases of the account, and of its contacts wherever those had them. */
export function selectedCases({ account_id, contacts }: Selection): Sql {
  return sql`select cs.id from cases cs where cs.account_id = ${account_id} union
    select cs.id from cases cs where cs.contact_id in (${contacts})`;
}

/**
 * Leads that were accepted for a deleted contact, or name it and are not accepted. Without a contact of another
 * account, those of a deleted account.
 */
export function selectedLeads({ account_id, contacts }: Selection): Sql {
  const elsewhere = (contactId: string) =>
    `exists (select 1 from contacts c where c.id = ${contactId} and c.account_id <> ?)`;
  const of = (condition: string) => `select l.id from leads l where ${condition}`;
  return raw(
    [
      of(`l.account_id = ? and not ${elsewhere("l.contact_id")}`),
      of(`l.contact_id in (${contacts.sql})`),
      of(`l.original_contact_id in (${contacts.sql}) and +l.account_id is null`),
      of(`l.original_account_id = ? and +l.account_id is null and not ${elsewhere("l.original_contact_id")}`),
    ].join(" union "),
    account_id,
    account_id,
    ...contacts.args,
    ...contacts.args,
    account_id,
    account_id,
  );
}

/** Leads of others that name them or one of their cases: those stay. */
export function remainingLeads(leaving: Selection): Sql {
  const { account_id, contacts } = leaving;
  const cases = selectedCases(leaving);
  const gone = selectedLeads(leaving);
  const of = (condition: string) => `select l.id from leads l where ${condition}`;
  return raw(
    [
      of("l.original_account_id = ?"),
      of(`l.original_contact_id in (${contacts.sql})`),
      of("l.account_id = ?"),
      of(`l.case_id in (${cases.sql})`),
      `select m.lead_id from lead_transitions m where m.case_id in (${cases.sql})`,
    ].join(" union ") + ` except select id from (${gone.sql})`,
    account_id,
    ...contacts.args,
    account_id,
    ...cases.args,
    ...cases.args,
    ...gone.args,
  );
}

/** Notes on their cases, and those on their contacts that are on no case. */
export function notesLeaving(leaving: Selection): Sql {
  const { contacts } = leaving;
  const cases = selectedCases(leaving);
  return sql`select n.id from notes n where n.contact_id in (${contacts}) and n.case_id is null union
    select n.id from notes n where n.case_id in (${cases})`;
}

/** Notes that name their contacts and are on a case of others: those stay with the case. */
export function notesKept(leaving: Selection): Sql {
  const { contacts } = leaving;
  const cases = selectedCases(leaving);
  return sql`select n.id from notes n where n.contact_id in (${contacts}) and n.case_id is not null
    and n.case_id not in (${cases})`;
}
