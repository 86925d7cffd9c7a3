/** What global search finds of leads. */
import { composeDisplayName } from "../../customers/accounts/display_name.ts";
import { composeContactName } from "../../customers/contacts/present.ts";
import { makeLeadScope } from "../../db/scope.ts";
import { sql } from "../../db/statements.ts";
import { makeTestCondition } from "../../lists/conditions.ts";
import type { FoundKind } from "../../lists/global_search.ts";
import { isLiveLead, leadIndexes } from "./filter_fields.ts";
import { leadSorts } from "./list_schema.ts";
import { composeParty } from "./party.ts";
import { type EmbeddedAccount, type EmbeddedContact, parseJson } from "./parts.ts";
import { listFoundTexts } from "./search_index.ts";

const columns = sql`leads.id, leads.status, leads.interest, leads.lead_source, leads.case_id,
  leads.account as brought_account, leads.contact as brought_contact,
  its_contact.first_name, its_contact.last_name, ${composeDisplayName("its_account")} as account_name`;

export const foundLeads: FoundKind = {
  list: {
    table: "leads",
    alias: "leads",
    columns,
    joins: sql`left join accounts its_account on its_account.id = ${composeParty("leads", "account_id")}
      left join contacts its_contact on its_contact.id = ${composeParty("leads", "contact_id")}`,
    sorts: leadSorts,
    order: "-created_at",
    indexes: leadIndexes,
  },
  index: "leads_search",
  request: ({ caller, at }) => ({
    scope: makeLeadScope(caller),
    fixedConditions: [makeTestCondition((own) => isLiveLead(own, at, false), 1)],
  }),
  present(row) {
    const account = parseJson<EmbeddedAccount>(row.brought_account!);
    const contact = parseJson<EmbeddedContact>(row.brought_contact!);
    const interest = row.interest as string | null;
    const names = { first_name: row.first_name as string | null, last_name: row.last_name as string | null };
    const { first_name = null, last_name = null } = contact?.fixed ?? {};
    const brought = [composeContactName({ first_name, last_name }), account?.fixed.name ?? null];
    const account_name = row.account_name as string | null;
    const known = [composeContactName(names), account_name];
    // A lead that was accepted is about the customer of its acceptance.
    const [first, second] = row.case_id === null ? [brought, known] : [known, brought];
    return {
      id: row.id as string,
      title: first[0] ?? second[0] ?? first[1] ?? second[1] ?? interest ?? row.lead_source as string,
      subtitle: interest,
      status: row.status as string,
      texts: [
        ...listFoundTexts({ account, contact, interest }),
        ["account.name", account_name],
        ["contact.first_name", names.first_name],
        ["contact.last_name", names.last_name],
      ],
    };
  },
};
