/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Asks before a lead is deleted. */
import type { Action, Page } from "../page.ts";
import { DeleteForm } from "../parts/impact.tsx";
import { leadTitle } from "./row.tsx";
import type { LeadRecord } from "./summary.ts";

const path = "/app/leads/:lead_id/delete";

export const deleteLeadPage: Page = {
  path,
  section: "leads",
  async show(visit) {
    visit.require("leads.delete");
    const { call, params, texts } = visit;
    const lead = await call<LeadRecord>("getLead", { params });
    const back = `/app/leads/${lead.id}`;
    return {
      title: texts.deleting.of(leadTitle(visit, lead)),
      body: <DeleteForm visit={visit} action={`${back}/delete`} impact={{ blocked_by: [] }} back={back} />,
    };
  },
};

export const deleteLeadAction: Action = {
  path,
  page: deleteLeadPage,
  async run({ change, params }) {
    await change("deleteLead", { params });
    return { to: "/app/leads", message: { name: "deleted" } };
  },
};
