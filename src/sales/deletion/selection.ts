/** SQL: the ids of records that are deleted with customers, and of those that stay and name them. */
import { joinSql, type Sql, sql } from "../../db/statements.ts";
import type { Selection } from "../../customers/deletion/dependents.ts";

/** Cases of the account, and of its contacts in any account. */
export function selectCasesOfSelection({ account_id, contacts }: Selection): Sql {
  return sql`select cs.id from cases cs where cs.account_id = ${account_id} union
    select cs.id from cases cs where cs.contact_id in (${contacts})`;
}

/**
 * Leads that were accepted for a deleted contact, or that name one and are not accepted. Likewise the leads
 * of a deleted account, unless their contact belongs to another account.
 */
export function selectLeadsOfSelection({ account_id, contacts }: Selection): Sql {
  const elsewhere = (contactId: Sql) =>
    sql`exists (select 1 from contacts c where c.id = ${contactId} and c.account_id <> ${account_id})`;
  return selectLeadsWhere(
    sql`l.account_id = ${account_id} and not ${elsewhere(sql`l.contact_id`)}`,
    sql`l.contact_id in (${contacts})`,
    sql`l.original_contact_id in (${contacts}) and +l.account_id is null`,
    sql`l.original_account_id = ${account_id} and +l.account_id is null
      and not ${elsewhere(sql`l.original_contact_id`)}`,
  );
}

/** Leads that stay although they name a deleted customer or one of its cases. */
export function selectRemainingLeads(selection: Selection): Sql {
  const { account_id, contacts } = selection;
  const cases = selectCasesOfSelection(selection);
  const naming = selectLeadsWhere(
    sql`l.original_account_id = ${account_id}`,
    sql`l.original_contact_id in (${contacts})`,
    sql`l.account_id = ${account_id}`,
    sql`l.case_id in (${cases})`,
  );
  return sql`${naming} union select m.lead_id from lead_transitions m where m.case_id in (${cases})
    except select id from (${selectLeadsOfSelection(selection)})`;
}

/** Notes on deleted cases, and notes on deleted contacts without a case. */
export function selectRemovedNotes(selection: Selection): Sql {
  const { contacts } = selection;
  const cases = selectCasesOfSelection(selection);
  return sql`select n.id from notes n where n.contact_id in (${contacts}) and n.case_id is null union
    select n.id from notes n where n.case_id in (${cases})`;
}

/** Notes that name a deleted contact on a case of another customer. They stay with the case. */
export function selectKeptNotes(selection: Selection): Sql {
  const { contacts } = selection;
  const cases = selectCasesOfSelection(selection);
  return sql`select n.id from notes n where n.contact_id in (${contacts}) and n.case_id is not null
    and n.case_id not in (${cases})`;
}

function selectLeadsWhere(...conditions: Sql[]): Sql {
  return joinSql(conditions.map((condition) => sql`select l.id from leads l where ${condition}`), " union ");
}
