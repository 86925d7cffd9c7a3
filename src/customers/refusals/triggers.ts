/** Removes the readable address of refusals once no contact has it. */
import { type SchemaObject, trigger } from "../../db/triggers.ts";
import { caseFoldSql } from "../../db/case_fold.ts";

const held = caseFoldSql("old", "email").sql;

const forget = `update refusals set email_key = null where company_id = old.company_id and email_key = ${held}
    and not exists (select 1 from contacts c where c.company_id = old.company_id
      and ${caseFoldSql("c", "email").sql} = ${held})`;

export const refusalTriggers: readonly SchemaObject[] = [
  trigger("refusals_contact_delete", "after delete on contacts when old.email is not null", forget),
  trigger(
    "refusals_contact_email",
    "after update of email on contacts when old.email is not null and old.email is not new.email",
    forget,
  ),
];
