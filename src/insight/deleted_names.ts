/** Triggers that keep the names of deleted records, because reports still group facts under these names. */
import { companyStays } from "../facts/facts.ts";
import { type SchemaObject, trigger } from "../db/triggers.ts";

const named = ["teams", "groups", "relations_paths", "activity_types", "lead_types", "products"] as const;

export const nameTriggers: readonly SchemaObject[] = named.map((table) =>
  trigger(
    `names_of_deleted_${table}`,
    `after delete on ${table} when ${companyStays}`,
    "insert into deleted_names (company_id, kind, id, name)\n" +
      `    values (old.company_id, '${table}', cast(old.id as text), old.name) on conflict do nothing`,
  )
);
