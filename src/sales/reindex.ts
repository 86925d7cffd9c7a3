/** What records of sales keep for search and filters, computed again. */
import { foldTexts } from "../core/text.ts";
import { reindexValues } from "../db/custom_values.ts";
import { sql } from "../db/statements.ts";
import type { Statement } from "../platform/database/database.ts";
import { changeForms, only, type Reindexed } from "../staged/reindex.ts";
import { foldLine } from "./activities/product_details.ts";
import type { ProductDetail } from "./case_parts/product_details.ts";
import { computeStoredLeadWords } from "./leads/search_index.ts";
import { indexNoteWords } from "./notes/write.ts";
import { indexProductWords } from "./products/write.ts";

export const reindexedProducts: Reindexed = {
  table: "products",
  select: only("seq", "name", "custom"),
  write: ({ fields }, rows) => [
    ...reindexValues(fields.all.product.custom, rows),
    ...rows.map(({ seq, company_id, name }) =>
      indexProductWords(Number(seq), { company_id: Number(company_id), name: String(name) })
    ),
  ],
};

export const reindexedLeadTypes: Reindexed = {
  table: "lead_types",
  select: only("name", "folded"),
  write: (_, rows) =>
    changeForms("lead_types", rows, ({ name }) => ({ folded: foldTexts({ name: String(name) }) })),
};

export const reindexedLeads: Reindexed = {
  table: "leads",
  select: only("interest", "lead_source", "account", "contact", "folded", "words"),
  write: (_, rows) =>
    changeForms("leads", rows, (row) => ({
      folded: foldTexts({ interest: row.interest as string | null, lead_source: String(row.lead_source) }),
      words: computeStoredLeadWords(row),
    })),
};

export const reindexedNotes: Reindexed = {
  table: "notes",
  select: only("note"),
  write: (_, rows) =>
    rows.map(({ id, company_id, note }) =>
      indexNoteWords(Number(id), { company_id: Number(company_id), note: String(note) })
    ),
};

/** The products that activities offer, by the cases of the activities. */
export const reindexedProductLines: Reindexed = {
  table: "cases",
  select: {
    columns:
      sql`cs.id, cs.created_at, cs.version, (select json_group_array(json_array(a.id, a.product_details))
      from activities a where a.case_id = cs.id and a.product_details <> '[]') as details`,
    joins: sql``,
    alias: "cs",
  },
  write: (_, rows) =>
    changeLines(rows.flatMap(({ details }) => JSON.parse(String(details)) as [string, string][])),
};

function changeLines(all: readonly [activity: string, details: string][]): Statement[] {
  const changed = all.flatMap(([id, before]) => {
    const details = (JSON.parse(before) as ProductDetail[]).map((detail) => ({
      ...detail,
      products: detail.products.map((line) => ({ ...line, folded: foldLine(line) })),
    }));
    const after = JSON.stringify(details);
    return after === before ? [] : [[id, before, after]];
  });
  if (changed.length === 0) return [];
  return [
    sql`update activities set product_details = v.value ->> 2 from json_each(${JSON.stringify(changed)}) v
      where activities.id = v.value ->> 0 and product_details = v.value ->> 1`,
  ];
}
