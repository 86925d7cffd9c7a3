/**
 * Sales records of deleted customers: notes, leads, and cases with their rows. Steps delete them in this
 * order, because a case shows its lead.
 */
import { identifier, sql } from "../../db/statements.ts";
import type { Dependents } from "../../customers/deletion/dependents.ts";
import { guardThat } from "../../platform/database/database.ts";
import { removeCustomerCases } from "./cases_of_customers.ts";
import {
  selectCasesOfSelection,
  selectKeptNotes,
  selectLeadsOfSelection,
  selectRemainingLeads,
  selectRemovedNotes,
} from "./selection.ts";
import { removeCustomerLeads } from "./leads_of_customers.ts";
import { detachNotes, removeNotes } from "../notes/deletion.ts";

export const customerDependents: Dependents = {
  amounts(selection, at) {
    const cases = selectCasesOfSelection(selection);
    const leads = selectLeadsOfSelection(selection);
    const ofCases = (table: string) =>
      sql`(select count(*) from ${identifier(table)} where case_id in (${cases}))`;
    return [
      { type: "activity", number: ofCases("activities") },
      { type: "case", number: sql`(select count(*) from (${cases}))` },
      {
        type: "lead",
        number: sql`(select count(*) from leads where id in (${leads}) and hidden = 0
          and (expires_at is null or expires_at > ${at}))`,
      },
      { type: "note", number: sql`(select count(*) from (${selectRemovedNotes(selection)}))` },
      { type: "task", number: ofCases("tasks") },
      { type: "timeline_event", number: ofCases("timeline_events") },
    ];
  },
  steps: (selection, take) => [
    removeNotes(selectRemovedNotes(selection), take),
    detachNotes(selectKeptNotes(selection), take),
    removeCustomerLeads(selection, take),
    removeCustomerCases(selection, take),
  ],
  // Leads have no foreign key to the records that they name.
  guards: (selection) =>
    [selectLeadsOfSelection(selection), selectRemainingLeads(selection)].map((leads) =>
      guardThat("leads", sql`not exists (${leads})`)
    ),
};
