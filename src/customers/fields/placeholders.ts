/** Texts that name the placeholder of a deleted custom field, which has no value any more. */
import { type Sql, sql } from "../../db/statements.ts";

/** What can follow a name in a placeholder: its end, white space, or either of them encoded. */
const ends = "[} \t\r\n\u00a0&%]*";

/** SQL: whether a text names the placeholder. Names have no special characters. */
export function namesPlaceholder(text: Sql, name: Sql): Sql {
  return sql`${text} glob '*' || ${name} || ${ends}`;
}

/** SQL: whether a text of the company names a deleted field of contacts or accounts. */
export function namesDeletedField(companyId: Sql, text: Sql): Sql {
  return sql`(instr(${text}, '.custom.') > 0 and exists (select 1 from fields gone
    where gone.company_id = ${companyId} and gone.deleted_at is not null
    and ${namesPlaceholder(text, sql`gone.owner_type || '.custom.' || gone.name`)}))`;
}
