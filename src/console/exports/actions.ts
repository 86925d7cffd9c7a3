/** Exports the records of a list. */
import { customersPage } from "../customers/page.tsx";
import { parseKind } from "../customers/kinds.ts";
import { makeBody } from "../form_body.ts";
import { leadsPage } from "../leads/page.tsx";
import type { Action, Page } from "../page.ts";
import type { Visit } from "../visit.ts";
import { exportsPath } from "./page.tsx";

export const exportActions: readonly Action[] = [
  makeAction("/app/customers/export", customersPage, ({ query }) => parseKind(query)),
  makeAction("/app/leads/export", leadsPage, () => "leads"),
];

function makeAction(path: string, page: Page, chooseEntity: (visit: Visit) => string): Action {
  return {
    path,
    page,
    async run(visit) {
      visit.require("reports.export");
      const { change, form } = visit;
      const filter = readFilter(form.get("filter"));
      const body = { ...makeBody(form, { format: "text" }), entity: chooseEntity(visit), ...filter };
      const { id } = await change<{ id: string }>("createExport", { body });
      return { to: `${exportsPath}/${id}`, message: null };
    },
  };
}

/** What is no JSON stays a text, so that the API refuses it. */
function readFilter(sent: FormDataEntryValue | null): { filter?: unknown } {
  if (typeof sent !== "string" || sent === "") return {};
  try {
    return { filter: JSON.parse(sent) };
  } catch {
    return { filter: sent };
  }
}
