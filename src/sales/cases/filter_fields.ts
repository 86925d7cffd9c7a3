/** Filter fields of cases and of the milestones that they have done. */
import type { Viewer } from "../../db/context.ts";
import { identifier, type Sql, sql } from "../../db/statements.ts";
import { column, type FilterField, linkBy, type Relation, type Values } from "../../filters/fields.ts";
import { storedCaseStatuses } from "./lifecycle.ts";
import { milestoneTypes } from "../relations_paths/schema.ts";
import { listIndexes } from "../../lists/indexes.ts";
import { caseMilestones, cases } from "./record.ts";
import { choosePartyColumn, type Fields, limitToSeenTeams, relateFields } from "../filter_relations.ts";

export const caseIndexes = listIndexes(cases);
const milestoneIndexes = listIndexes(caseMilestones);

/** The cases of the filtered records. */
export function describeCaseRelation(ctx: Viewer, root: Relation) {
  const party = choosePartyColumn(root);
  return {
    name: "case",
    above: root,
    many: true,
    table: "cases",
    link: linkBy(party),
    counts: limitToSeenTeams(ctx),
    indexes: caseIndexes,
    party: (own: string) => identifier(own, party),
  } satisfies Relation;
}

export function describeCaseFields(ctx: Viewer, root: Relation): Fields {
  const ownCases = describeCaseRelation(ctx, root);
  const milestones: Relation = {
    above: ownCases,
    many: true,
    counts: null,
    name: "case.milestones",
    table: "case_milestones",
    link: linkBy("case_id"),
    indexes: milestoneIndexes,
    straight: {
      name: "case.milestones",
      table: "case_milestones",
      above: root,
      many: true,
      link: ownCases.link,
      counts: ownCases.counts,
      indexes: milestoneIndexes,
      party: ownCases.party,
      by: "activity_type_id",
    },
  };
  return {
    ...relateFields(ownCases, ofCases),
    ...relateFields(milestones, ofMilestones),
  };
}

type Described = Readonly<Record<string, Omit<FilterField, "relation">>>;

const ofCases: Described = {
  created_at: { type: "timestamp", value: column("created_at") },
  latest_activity_at: { type: "timestamp", value: column("latest_activity_at") },
  lead_type_id: { type: "text", value: column("lead_type_id") },
  relations_path_id: { type: "text", value: column("relations_path_id") },
  status: { type: "choice", value: column("status"), choices: new Set(storedCaseStatuses) },
  "stock_vehicle.id": { type: "uuid", value: column("stock_vehicle_id") },
  "extra_steps.id": { type: "reference", value: describeActivities("extra_steps", sql`1`) },
  "supportive.id": {
    type: "reference",
    value: describeActivities("activity_types", sql`not (j.value ->> 'is_milestone')`),
  },
};

/** Milestones done, with the time of their activity. */
const ofMilestones: Described = {
  id: { type: "reference", value: column("activity_type_id") },
  type: {
    type: "choice",
    value: {
      kind: "column",
      sql: (own) =>
        sql`(select t.type from activity_types t where t.id = ${identifier(own, "activity_type_id")})`,
    },
    choices: new Set(milestoneTypes),
  },
  created_at: { type: "timestamp", value: column("done_at") },
};

/** Ids in a JSON list of the activities of a case. */
function describeActivities(list: string, condition: Sql): Values {
  return {
    kind: "values",
    from: sql`activities v, json_each(${identifier("v", list)}) j`,
    of: (own) => sql`v.case_id = ${identifier(own, "id")} and ${condition}`,
    sql: sql`(j.value ->> 'id')`,
    found: null,
  };
}
