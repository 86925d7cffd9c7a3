/** What can be done with a lead. */
import { makeBody } from "../form_body.ts";
import type { Action } from "../page.ts";
import { readKnownCustomers } from "./known_customers.ts";
import type { FullLead } from "./load.ts";
import { leadPage as page } from "./page.tsx";

const composePath = (id: string | undefined) => `/app/leads/${id}`;

export const leadActions: readonly Action[] = [
  {
    path: "/app/leads/:lead_id/accept",
    page,
    async run(visit) {
      const { change, params, form } = visit;
      const { customer, ...body } = makeBody(form, {
        user_id: "integer",
        relations_path_id: "text",
        customer: "text",
      });
      if (customer === undefined && (await readKnownCustomers(visit, params.lead_id!)).length > 0) {
        return { to: composePath(params.lead_id), message: null };
      }
      const chosen = customer === undefined || customer === "new" ? {} : { contact_id: customer };
      const lead = await change<FullLead>("acceptLead", { params, body: { ...body, ...chosen } });
      const to = lead.case_id ? `/app/cases/${lead.case_id}` : composePath(params.lead_id);
      return { to, message: { name: "accepted" } };
    },
  },
  {
    path: "/app/leads/:lead_id/reject",
    page,
    async run({ change, params, form }) {
      await change("rejectLead", { params, body: makeBody(form, { rejection_reason: "text" }) });
      return { to: "/app/leads", message: { name: "rejected" } };
    },
  },
  {
    path: "/app/leads/:lead_id/call",
    page,
    async run({ change, params }) {
      await change("callLead", { params });
      return { to: composePath(params.lead_id), message: { name: "called" } };
    },
  },
  {
    path: "/app/leads/:lead_id/assign",
    page,
    async run({ change, params, form }) {
      const body = makeBody(form, { team_id: "integer", user_id: "integer" });
      await change("assignLead", { params, body });
      return { to: composePath(params.lead_id), message: { name: "assigned" } };
    },
  },
];
