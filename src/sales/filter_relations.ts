/** The relations of sales records to the filtered records, and their visibility. */
import { isAdmin } from "../core/access.ts";
import type { Viewer } from "../db/context.ts";
import { identifier, type Sql, sql } from "../db/statements.ts";
import { type FilterField, type Relation } from "../filters/fields.ts";

export type Fields = Readonly<Record<string, FilterField>>;

/** Returns the fields of a relation, by names that begin with the name of the relation. */
export function relateFields(
  relation: Relation,
  fields: Readonly<Record<string, Omit<FilterField, "relation">>>,
): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [`${relation.name}.${name}`, { ...field, relation }]),
  );
}

/** The column of a record that names the filtered account or contact. */
export function choosePartyColumn(root: Relation): "account_id" | "contact_id" {
  return root.name === "account" ? "account_id" : "contact_id";
}

/** Returns the condition for shared records and those of teams that the caller sees; null means all. */
export function limitToSeenTeams({ caller }: Viewer): ((own: string) => Sql) | null {
  if (isAdmin(caller)) return null;
  const teams = JSON.stringify(caller.visibleTeamIds);
  return (own) => {
    const team = identifier(own, "team_id");
    return sql`(+${team} is null or +${team} in (select value from json_each(${teams})))`;
  };
}
