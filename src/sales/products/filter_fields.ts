/** Filter fields of the products in the details of activities. */
import type { Viewer } from "../../db/context.ts";
import { identifier, literal, type Sql, sql } from "../../db/statements.ts";
import { column, expression, type FilterField, linkBy, type Relation } from "../../filters/fields.ts";
import { choosePartyColumn, type Fields, limitToSeenTeams, relateFields } from "../filter_relations.ts";

/** A row for each product of a detail, with the time of its activity. */
const details =
  sql`(select c.account_id, c.contact_id, c.team_id, a.created_at, p.value as product from cases c
  cross join activities a on a.case_id = c.id and a.product_details <> '[]'
  cross join json_each(a.product_details) d cross join json_each(d.value, '$.products') p)`;

export function describeProductFields(ctx: Viewer, root: Relation): Fields {
  const party = choosePartyColumn(root);
  const products: Relation = {
    name: "product_detail.product",
    above: root,
    many: true,
    table: "activities",
    rows: details,
    link: linkBy(party),
    counts: limitToSeenTeams(ctx),
    indexes: [],
  };
  return relateFields(products, fields);
}

const fields: Readonly<Record<string, Omit<FilterField, "relation">>> = {
  quantity: {
    type: "integer",
    value: expression((own) => sql`(${identifier(own, "product")} ->> 'quantity')`),
  },
  name: { type: "text", value: expression((own) => composeFolded(own, "name")) },
  comment: { type: "text", written: "lines", value: expression((own) => composeFolded(own, "comment")) },
  created_at: { type: "timestamp", value: column("created_at") },
  category: {
    type: "integer",
    value: {
      kind: "values",
      from: sql`products_in_categories v`,
      of: (own) => sql`v.product_id = (${identifier(own, "product")} ->> 'id')`,
      sql: sql`v.category_id`,
      found: null,
    },
  },
};

/** A case-folded text of a product; `folded` has it where SQLite's `lower` gives another text. */
function composeFolded(own: string, name: "name" | "comment"): Sql {
  const product = identifier(own, "product");
  const ready = sql`${product} ->> ${literal(`$.folded.${name}`)}`;
  return sql`case when ${ready} is null then lower(${product} ->> ${literal(name)}) else ${ready} end`;
}
