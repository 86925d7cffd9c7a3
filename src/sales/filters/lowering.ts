/** Leads and lead types from before their texts were kept in lower case. */
import { foldedTexts } from "../../core/text.ts";
import type { Lowering } from "../../customers/filters/lowering.ts";
import type { Row } from "../../platform/database/database.ts";

export const leadLowering: Lowering = {
  table: "leads",
  alias: "leads",
  columns: "leads.id, leads.version, leads.lowered, leads.interest, leads.lead_source",
  lowered: textsOf("interest", "lead_source"),
};

export const leadTypeLowering: Lowering = {
  table: "lead_types",
  alias: "lt",
  columns: "lt.id, lt.version, lt.lowered, lt.name",
  lowered: textsOf("name"),
};

function textsOf(...names: string[]): (row: Row) => string | null {
  return (row) => foldedTexts(Object.fromEntries(names.map((name) => [name, row[name] as string | null])));
}
