/** The fact of a saved filter. */
import { factNow, makeFactTrigger } from "../../facts/facts.ts";
import type { SchemaObject } from "../../db/triggers.ts";

export const savedFilterFacts: readonly SchemaObject[] = [
  makeFactTrigger(
    "facts_filter_saved",
    "after insert on saved_filters when new.created_by is not null and new.kind in ('account', 'contact')",
    {
      kind: "filter_saved",
      company: "new.company_id",
      at: factNow,
      user: "new.created_by",
      team: "new.team_id",
    },
  ),
];
