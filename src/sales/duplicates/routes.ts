import { ok } from "../../core/answer.ts";
import { findDuplicates, type Known } from "../../customers/duplicates/find.ts";
import { Duplicates } from "../../customers/duplicates/schema.ts";
import { sql } from "../../db/statements.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { requireLead, selectLeadById } from "../leads/queries.ts";
import type { LeadRecord } from "../leads/parts.ts";

export const leadDuplicateEndpoints: Endpoint[] = [
  endpoint(
    {
      method: "get",
      path: "/v1/leads/:lead_id/duplicates",
      operation: "listLeadDuplicates",
      tag: "Leads",
      summary: "Find the contacts and accounts that a lead may be about",
      description: "By the e-mail address, phone number and names that it brings.",
      params: { lead_id: "uuid" },
      prefetch: (_, { lead_id = "" }) => (userId) =>
        selectLeadById(sql`(select company_id from users where id = ${userId})`, lead_id),
      answers: { 200: { description: "The finds, the best first.", schema: Duplicates } },
    },
    async (ctx, { prefetched }) =>
      ok(await findDuplicates(ctx, gatherKnown(requireLead(ctx, { rows: prefetched ? [prefetched] : [] })))),
  ),
];

/** What the lead says of its customer. Customers that it names itself are no finds. */
function gatherKnown({ row, embedded, original_account, original_contact }: LeadRecord): Known {
  const contact = embedded.contact?.fixed ?? original_contact;
  const account = embedded.account?.fixed ?? original_account;
  const names = [`${contact?.first_name ?? ""} ${contact?.last_name ?? ""}`, account?.name ?? ""];
  const named = [row.original_contact_id, row.contact_id, row.original_account_id, row.account_id];
  return {
    email: contact?.email,
    phone_number: contact?.phone_number,
    names: names.filter((name) => name.trim() !== ""),
    exclude: named.filter((id) => id !== null),
  };
}
