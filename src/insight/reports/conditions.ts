/** SQL of a question over the facts of one kind, alias `f`: the visible ones, the filters, and the groups. */
import { isAdmin, type Member } from "../../core/access.ts";
import type { FactKind } from "../../core/fact_kinds.ts";
import { asList, identifier, joinSql, type Sql, sql } from "../../db/statements.ts";
import { type Grouping, groupings, type IndicatorDefinition } from "../indicators/catalogue.ts";
import type { Question, Reader } from "./question.ts";

/** The facts that a statement reads. */
export interface Source {
  readonly kind: FactKind;
  /** The list by which activities are grouped. */
  readonly types: IndicatorDefinition["types"];
  /** The properties that its facts have. */
  readonly has: ReadonlySet<Grouping>;
  readonly knowsLead: boolean;
  /** `calls`: counts for each team of the calling user. Absent: counts for the team of the fact. */
  readonly team?: "calls";
  /** Whether everybody in the company sees the facts. */
  readonly isPublic?: boolean;
}

const dimensions: readonly Grouping[] = [
  "activity_type",
  "lead_source",
  "lead_type",
  "product",
  "relations_path",
];

/** Whether the question groups or filters by one of the properties that the facts have. */
function names(question: Question, source: Source, ...groupings: readonly Grouping[]): boolean {
  const { filters, groupBy } = question;
  return groupings.some((grouping) =>
    source.has.has(grouping) && (groupBy.includes(grouping) || chooseFilter(filters, grouping) !== null)
  );
}

function namesTeams(question: Question, source: Source): boolean {
  return source.team === "calls" && names(question, source, "team", "group");
}

/** Whether a question needs properties of facts besides their user and team. */
export function needsDims({ caller }: Reader, question: Question, source: Source): boolean {
  return namesTeams(question, source) || names(question, source, ...dimensions) ||
    (question.filters.created_from_lead !== null && source.knowsLead) || seesByAgency(caller, source);
}

/** SQL: the team that a fact counts for. */
function selectTeam(source: Source): Sql {
  return source.team === "calls" ? sql`m.value` : sql`f.team_id`;
}

/** SQL: the tables that the other pieces of this file name, joined to the facts. */
export function joinDims(reader: Reader, question: Question, source: Source): Sql {
  const { groupBy } = question;
  const types = source.types === "types" ? sql`d.types` : sql`d.milestone_types`;
  const none = sql``;
  const dims = needsDims(reader, question, source) ? sql` left join fact_dims d on d.id = f.dim_id` : none;
  const teams = namesTeams(question, source) ? sql` left join json_each(d.teams) m` : none;
  const groups = names(question, source, "group")
    ? sql` left join teams t on t.id = ${selectTeam(source)}`
    : none;
  const activityTypes = groupBy.includes("activity_type") && source.has.has("activity_type")
    ? sql` left join json_each(${types}) ty`
    : none;
  const products = groupBy.includes("product") && source.has.has("product")
    ? sql` left join json_each(d.product_ids) p`
    : none;
  return sql`${dims}${teams}${groups}${activityTypes}${products}`;
}

/** SQL: the id of the group that a fact belongs to; null for a property that the facts do not have. */
export function composeGroupKey(reader: Reader, source: Source, grouping: Grouping): Sql {
  if (!source.has.has(grouping)) return sql`null`;
  switch (grouping) {
    case "activity_type":
      return sql`ty.value`;
    case "company":
      return sql`${reader.company.id}`;
    case "group":
      return sql`t.group_id`;
    case "lead_source":
      return sql`d.lead_source`;
    case "lead_type":
      return sql`d.lead_type_id`;
    case "product":
      return sql`p.value`;
    case "relations_path":
      return sql`d.relations_path_id`;
    case "team":
      return selectTeam(source);
    case "user":
      return sql`f.user_id`;
  }
}

/** SQL: the name of a group, also of a deleted one. */
export function selectGroupName(company: number, source: Source, grouping: Grouping, id: Sql): Sql {
  if (!source.has.has(grouping)) return sql`null`;
  const selectName = (table: string) =>
    sql`ifnull((select x.name from ${identifier(table)} x where x.id = ${id}),
      (select x.name from deleted_names x where x.company_id = ${company} and x.kind = ${table}
      and x.id = cast(${id} as text)))`;
  switch (grouping) {
    case "activity_type":
      return selectName("activity_types");
    case "company":
      return sql`(select x.name from companies x where x.id = ${id})`;
    case "group":
      return selectName("groups");
    case "lead_source":
      return id;
    case "lead_type":
      return selectName("lead_types");
    case "product":
      return selectName("products");
    case "relations_path":
      return selectName("relations_paths");
    case "team":
      return selectName("teams");
    case "user":
      return sql`(select x.first_name || ' ' || x.last_name from users x where x.id = ${id})`;
  }
}

function isOfLeads(kind: FactKind): boolean {
  return kind.startsWith("lead_") || kind === "assignment_accepted";
}

/**
 * SQL: limits the facts to visible teams. Everybody in the company sees facts without a team, except those of
 * leads. The users of an agency see the facts of its leads, and of those without an agency, in every team.
 */
export function limitToVisible({ caller }: Reader, source: Source): Sql {
  if (source.isPublic || isAdmin(caller)) return sql``;
  const own = sql`f.team_id in (select value from json_each(${JSON.stringify(caller.visibleTeamIds)}))`;
  if (!isOfLeads(source.kind)) return sql`and (f.team_id is null or ${own})`;
  if (!seesByAgency(caller, source)) return sql`and ${own}`;
  return sql`and (${own} or d.agency_team_id is null
    or d.agency_team_id in (select value from json_each(${JSON.stringify(caller.teamIds)})))`;
}

function seesByAgency(caller: Member, source: Source): boolean {
  return !isAdmin(caller) && isOfLeads(source.kind) && caller.rights.has("agency");
}

type Ids = readonly (string | number)[] | Sql;

function chooseFilter(filters: Question["filters"], grouping: Grouping): Ids | null {
  switch (grouping) {
    case "activity_type":
      return filters.activity_type_ids;
    case "company":
      return null;
    case "group":
      return filters.group_ids;
    case "lead_source":
      return filters.lead_sources;
    case "lead_type":
      return filters.lead_type_ids;
    case "product":
      return filters.product_ids;
    case "relations_path":
      return filters.relations_path_ids;
    case "team":
      return filters.team_ids;
    case "user":
      return filters.user_ids;
  }
}

/** SQL: the filters. A filter on a property that the facts do not have matches nothing. */
export function composeFilters({ filters, groupBy }: Question, source: Source): Sql {
  const conditions: Sql[] = [];
  for (const grouping of groupings) {
    const ids = chooseFilter(filters, grouping);
    if (ids === null) continue;
    conditions.push(source.has.has(grouping) ? matches(source, groupBy, grouping, ids) : sql`and 0`);
  }
  const { created_from_lead } = filters;
  if (created_from_lead !== null) {
    const own = created_from_lead ? sql`d.from_lead = 1` : sql`d.from_lead is not 1`;
    conditions.push(source.knowsLead ? sql`and ${own}` : sql`and 0`);
  }
  return joinSql(conditions, " ");
}

function matches(source: Source, groupBy: readonly Grouping[], grouping: Grouping, ids: Ids): Sql {
  const given = sql`(select value from json_each(${asList(ids)}))`;
  // A fact can have several types and products. One of them must match, and only those that match become
  // groups.
  const restrictTo = (list: Sql, value: Sql) =>
    groupBy.includes(grouping)
      ? sql`and ${value} in ${given}`
      : sql`and exists (select 1 from json_each(${list}) x where x.value in ${given})`;
  switch (grouping) {
    case "activity_type":
      return restrictTo(source.types === "types" ? sql`d.types` : sql`d.milestone_types`, sql`ty.value`);
    case "product":
      return restrictTo(sql`d.product_ids`, sql`p.value`);
    case "group":
      return sql`and t.group_id in ${given}`;
    case "lead_source":
      return sql`and d.lead_source in ${given}`;
    case "lead_type":
      return sql`and d.lead_type_id in ${given}`;
    case "relations_path":
      return sql`and d.relations_path_id in ${given}`;
    case "team":
      return sql`and ${selectTeam(source)} in ${given}`;
    case "user":
      return sql`and f.user_id in ${given}`;
    case "company":
      return sql``;
  }
}
