/** SQL: the ids of what goes with deleted customers, and of what stays and names them. */
import { raw, type Sql } from "../../db/statements.ts";
import type { Leaving } from "../../customers/removal/dependents.ts";

/** Cases of the account, and of its contacts wherever those had them. */
export function casesLeaving({ account_id, contacts }: Leaving): Sql {
  return raw(
    "select cs.id from cases cs where cs.account_id = ? union " +
      `select cs.id from cases cs where cs.contact_id in (${contacts.text})`,
    account_id,
    ...contacts.args,
  );
}

/** Leads that were accepted for them or into their cases, and those that name them and are not accepted. */
export function leadsLeaving(leaving: Leaving): Sql {
  const { account_id, contacts } = leaving;
  const of = (condition: string) => `select l.id from leads l where ${condition}`;
  return raw(
    [
      of("l.account_id = ?"),
      of(`l.contact_id in (${contacts.text})`),
      // A lead has the account of its case, though not always the contact.
      of(`l.case_id in (select cs.id from cases cs where cs.contact_id in (${contacts.text}))`),
      of("l.original_account_id = ? and +l.account_id is null"),
      of(`l.original_contact_id in (${contacts.text}) and +l.account_id is null`),
    ].join(" union "),
    account_id,
    ...contacts.args,
    ...contacts.args,
    account_id,
    ...contacts.args,
  );
}

/** Leads that name them and were accepted for others: those stay. */
export function leadsKept(leaving: Leaving): Sql {
  const { account_id, contacts } = leaving;
  const gone = leadsLeaving(leaving);
  return raw(
    "select l.id from leads l where l.original_account_id = ? and +l.account_id is not null union " +
      `select l.id from leads l where l.original_contact_id in (${contacts.text}) and +l.account_id is not null ` +
      `except select id from (${gone.text})`,
    account_id,
    ...contacts.args,
    ...gone.args,
  );
}
