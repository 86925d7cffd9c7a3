/** Removes the readable address of refusals once no contact has it. */
import { type SchemaObject, trigger } from "../../db/triggers.ts";
import { composeCaseFold } from "../../db/case_fold.ts";

const held = composeCaseFold("old", "email").sql;

const forget = `update refusals set email_key = null where company_id = old.company_id and email_key = ${held}
    and not exists (select 1 from contacts c where c.company_id = old.company_id
      and ${composeCaseFold("c", "email").sql} = ${held})`;

const forgetNumber = `update refusals set e164 = null where company_id = old.company_id and e164 = old.e164
    and not exists (select 1 from contacts c where c.company_id = old.company_id and c.e164 = old.e164)`;

export const refusalTriggers: readonly SchemaObject[] = [
  trigger("refusals_contact_delete", "after delete on contacts when old.email is not null", forget),
  trigger(
    "refusals_contact_email",
    "after update of email on contacts when old.email is not null and old.email is not new.email",
    forget,
  ),
  trigger(
    "refusals_contact_number_delete",
    "after delete on contacts when old.e164 is not null",
    forgetNumber,
  ),
  trigger(
    "refusals_contact_number",
    "after update of e164 on contacts when old.e164 is not null and old.e164 is not new.e164",
    forgetNumber,
  ),
];
