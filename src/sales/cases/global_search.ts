/** What global search finds of cases. */
import { composeDisplayName } from "../../customers/accounts/display_name.ts";
import { composeContactName } from "../../customers/contacts/present.ts";
import { makeTeamScope } from "../../db/scope.ts";
import { sql } from "../../db/statements.ts";
import { columnIs } from "../../lists/conditions.ts";
import type { FoundKind } from "../../lists/global_search.ts";
import { caseIndexes } from "./filter_fields.ts";
import { caseSorts } from "./list_schema.ts";

export const foundCases: FoundKind = {
  list: {
    table: "cases",
    alias: "cs",
    columns: sql`cs.id, cs.case_number, cs.status, cs_contact.first_name, cs_contact.last_name,
      ${composeDisplayName("cs_account")} as account_name`,
    joins: sql`left join accounts cs_account on cs_account.id = cs.account_id
      left join contacts cs_contact on cs_contact.id = cs.contact_id`,
    sorts: caseSorts,
    order: "-updated_at",
    indexes: caseIndexes,
  },
  index: "cases_search",
  request: ({ caller }) => ({ scope: makeTeamScope(caller) }),
  exact: (text) => /^[1-9]\d{0,14}$/.test(text) ? columnIs("case_number", Number(text), 0.00001) : null,
  present(row) {
    const names = { first_name: row.first_name as string | null, last_name: row.last_name as string | null };
    const [account, number] = [row.account_name as string | null, String(row.case_number)];
    return {
      id: row.id as string,
      title: composeContactName(names) ?? account ?? number,
      subtitle: number,
      status: row.status as string,
      texts: [
        ["case_number", number],
        ["account.name", account],
        ["contact.first_name", names.first_name],
        ["contact.last_name", names.last_name],
      ],
    };
  },
};
