/** Makes the new lead. */
import { makeBody } from "../form_body.ts";
import type { Action } from "../page.ts";
import { newLeadAddress, newLeadPage as page } from "./page.tsx";

/** The fields of the contact, in the order by which faults name them. */
const contactFields = ["first_name", "last_name", "email", "phone_number"] as const;

export const newLeadActions: readonly Action[] = [{
  path: newLeadAddress,
  page,
  async run({ change, form }) {
    const text = (name: string) => String(form.get(name) ?? "").trim() || null;
    const lead = await change<{ id: string }>("createLead", {
      body: {
        ...makeBody(form, {
          lead_type_id: "text",
          lead_source: "text",
          interest: "text",
          team_id: "integer",
          agency_team_id: "integer",
        }),
        b2c: form.get("b2c") === "person",
        account: { fixed_fields: [{ name: "name", value: text("account_name") }] },
        contact: { fixed_fields: contactFields.map((name) => ({ name, value: text(name) })) },
      },
    });
    return { to: `/app/leads/${lead.id}`, message: { name: "leadCreated" } };
  },
}];
