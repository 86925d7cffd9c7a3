/** Saves a filter as a view. */
import type { Action } from "../page.ts";
import { isIncomplete, makeNode } from "./conditions.ts";
import { customersPath, parseKind } from "./kinds.ts";
import { readAsked } from "./load.ts";
import { customersPage } from "./page.tsx";

/** Saves the filter of the address as a view of its list. */
export const saveViewAction: Action = {
  path: customersPath,
  page: customersPage,
  async run(visit) {
    const { change, form, person, query } = visit;
    const kind = parseKind(query);
    const { rows, rest, fields } = await readAsked(visit);
    const name = form.get("name");
    const filter = [
      ...rest,
      ...rows.filter((row) => !isIncomplete(row)).map((row) => makeNode(row, fields, person.timezone)),
    ];
    const { id } = await change<{ id: string }>(
      kind === "contacts" ? "createContactFilter" : "createAccountFilter",
      { body: { name: typeof name === "string" ? name : "", filter } },
    );
    return { to: `${customersPath}?kind=${kind}&filter_id=${id}`, message: { name: "viewSaved" } };
  },
};
