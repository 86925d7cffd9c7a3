/**
 * Sums over facts as SQL: one statement for all figures of the facts of one kind, by the spans and the groups of a
 * question. It reads the index of facts, and joins their other properties only where the question names them.
 */
import { isAdmin, type Member } from "../../core/access.ts";
import { type FactKind, factKinds } from "../../core/fact_kinds.ts";
import { identifier, joined, literal, type Sql, sql } from "../../db/statements.ts";
import { type Grouping, groupings, type Indicator } from "../indicators/catalogue.ts";
import type { Question, Reader, Span } from "./question.ts";

/** What a statement adds up of the facts of its kind. */
export interface Source {
  readonly kind: FactKind;
  /** Which list activities are grouped by. */
  readonly types: Indicator["types"];
  /** The properties that its facts have. */
  readonly has: ReadonlySet<Grouping>;
  readonly knowsLead: boolean;
  /** SQL of each sum over the alias `f`. */
  readonly sums: readonly Sql[];
  /** Whether a level is summed up: everything before the first span counts into it. */
  readonly isLevel: boolean;
  /** Whose team it is: of the fact, or each team of the calling user. */
  readonly team?: "calls";
  /** Whether everybody in the company sees it. */
  readonly isPublic?: boolean;
  /** Further columns to group by, over `f`. */
  readonly by?: readonly Sql[];
  /** A further condition over `f`; `span` is SQL of the start of the span. */
  readonly where?: (span: Sql) => Sql;
}

/** The most rows of a statement: a question that needs more is refused. */
export const mostRows = 50_000;

/**
 * Columns: `span` (its position), `g0`, `n0` … (id and name of each group), `b0` … (of `by`), `s0` … (the sums). One
 * row more than `mostRows` shows that there are too many.
 */
export function sumsStatement(
  reader: Reader,
  question: Question,
  spans: readonly Span[],
  source: Source,
): Sql {
  const { by = [], sums } = source;
  const single = spans.length === 1 ? spans[0]! : null;
  const keys = question.groupBy.map((grouping) => groupKey(reader, source, grouping));
  const given = [
    { name: "span", of: single ? sql`0` : sql`b.key` },
    ...keys.map((of, index) => ({ name: `g${index}`, of })),
    ...by.map((of, index) => ({ name: `b${index}`, of })),
    ...sums.map((of, index) => ({ name: `s${index}`, of })),
  ];
  const groups = given.slice(0, 1 + keys.length + by.length).map((_, index) => literal(index + 1));
  const names = question.groupBy.map((grouping, index) =>
    sql`, ${groupName(reader.company.id, source, grouping, identifier("q", `g${index}`))} as ${
      identifier(`n${index}`)
    }`
  );
  const from = spansOf(source, spans);
  const inner = sql`select ${joined(given.map(({ name, of }) => sql`${of} as ${identifier(name)}`), ", ")}
    from ${from.table}facts f${joins(question, source)}
    where f.company_id = ${reader.company.id} and f.kind = ${factKinds[source.kind]} ${from.bounds}
    ${visible(reader.caller, source)} ${filtered(question, source)}
    ${source.where ? sql`and ${source.where(from.start)}` : sql``}
    group by ${joined(groups, ", ")} limit ${mostRows + 1} + 0`;
  const shown = given.map(({ name }) => identifier("q", name));
  return sql`select ${joined(shown, ", ")}${joined(names, "")} from (${inner}) q`;
}

/** One span is a condition; several are a table, so that each is a search in the index. */
function spansOf({ isLevel }: Source, spans: readonly Span[]): { table: Sql; bounds: Sql; start: Sql } {
  if (spans.length === 1) {
    const { start, end } = spans[0]!;
    const after = isLevel ? sql`` : sql`and f.at >= ${start}`;
    return { table: sql``, bounds: sql`${after} and f.at < ${end}`, start: sql`${start}` };
  }
  const pairs = spans.map(({ start, end }, index) => [isLevel && index === 0 ? beginning : start, end]);
  return {
    table: sql`json_each(${JSON.stringify(pairs)}) b cross join `,
    bounds: sql`and f.at >= (b.value ->> 0) and f.at < (b.value ->> 1)`,
    start: sql`(b.value ->> 0)`,
  };
}

/** Before every fact. */
const beginning = -100_000_000_000;

const dimensions: readonly Grouping[] = [
  "activity_type",
  "lead_source",
  "lead_type",
  "product",
  "relations_path",
];

function names(question: Question, ...groupings: readonly Grouping[]): boolean {
  const { filters, groupBy } = question;
  return groupings.some((grouping) => groupBy.includes(grouping) || filterOf(filters, grouping) !== null);
}

/** SQL: the team that a fact counts for. */
function teamOf(source: Source): Sql {
  return source.team === "calls" ? sql`m.value` : sql`f.team_id`;
}

function joins(question: Question, source: Source): Sql {
  const { filters, groupBy } = question;
  const ofCalls = source.team === "calls" && names(question, "team", "group");
  const hasDims = ofCalls || filters.created_from_lead !== null || isOfLeads(source.kind) ||
    names(question, ...dimensions);
  const types = source.types === "types" ? sql`d.types` : sql`d.milestone_types`;
  return sql`${hasDims ? sql` left join fact_dims d on d.id = f.dim_id` : sql``}${
    ofCalls ? sql` left join json_each(d.teams) m` : sql``
  }${names(question, "group") ? sql` left join teams t on t.id = ${teamOf(source)}` : sql``}${
    groupBy.includes("activity_type") && source.has.has("activity_type")
      ? sql` left join json_each(${types}) ty`
      : sql``
  }${
    groupBy.includes("product") && source.has.has("product")
      ? sql` left join json_each(d.product_ids) p`
      : sql``
  }`;
}

/** SQL: the id of the group that a fact belongs to; null for a property that it has not. */
function groupKey(reader: Reader, source: Source, grouping: Grouping): Sql {
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
      return teamOf(source);
    case "user":
      return sql`f.user_id`;
  }
}

/** SQL: the name of a group, also of a deleted one. */
function groupName(company: number, source: Source, grouping: Grouping, id: Sql): Sql {
  if (!source.has.has(grouping)) return sql`null`;
  const named = (table: string) =>
    sql`ifnull((select x.name from ${identifier(table)} x where x.id = ${id}),
      (select x.name from deleted_names x where x.company_id = ${company} and x.kind = ${table}
      and x.id = cast(${id} as text)))`;
  switch (grouping) {
    case "activity_type":
      return named("activity_types");
    case "company":
      return sql`(select x.name from companies x where x.id = ${id})`;
    case "group":
      return named("groups");
    case "lead_source":
      return id;
    case "lead_type":
      return named("lead_types");
    case "product":
      return named("products");
    case "relations_path":
      return named("relations_paths");
    case "team":
      return named("teams");
    case "user":
      return sql`(select x.first_name || ' ' || x.last_name from users x where x.id = ${id})`;
  }
}

function isOfLeads(kind: FactKind): boolean {
  return kind.startsWith("lead_") || kind === "assignment_accepted";
}

/**
 * SQL: the facts of visible teams. Without a team everybody in the company counts them; those of leads only admins
 * and the agency that looks after the lead.
 */
function visible(caller: Member, source: Source): Sql {
  if (source.isPublic || isAdmin(caller)) return sql``;
  const own = sql`f.team_id in (select value from json_each(${JSON.stringify(caller.visibleTeamIds)}))`;
  if (!isOfLeads(source.kind)) return sql`and (f.team_id is null or ${own})`;
  if (!caller.rights.has("agency")) return sql`and ${own}`;
  return sql`and (${own} or (f.team_id is null and (d.agency_team_id is null
    or d.agency_team_id in (select value from json_each(${JSON.stringify(caller.teamIds)})))))`;
}

type Ids = readonly (string | number)[];

function filterOf(filters: Question["filters"], grouping: Grouping): Ids | null {
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

/** SQL: the filters; one on a property that the facts have not matches nothing. */
function filtered({ filters, groupBy }: Question, source: Source): Sql {
  const conditions: Sql[] = [];
  for (const grouping of groupings) {
    const ids = filterOf(filters, grouping);
    if (ids === null) continue;
    conditions.push(source.has.has(grouping) ? matches(source, groupBy, grouping, ids) : sql`and 0`);
  }
  const { created_from_lead } = filters;
  if (created_from_lead !== null) {
    const own = created_from_lead ? sql`d.from_lead = 1` : sql`d.from_lead is not 1`;
    conditions.push(source.knowsLead ? sql`and ${own}` : sql`and 0`);
  }
  return joined(conditions, " ");
}

function matches(source: Source, groupBy: readonly Grouping[], grouping: Grouping, ids: Ids): Sql {
  const given = sql`(select value from json_each(${JSON.stringify(ids)}))`;
  // A fact has several types and products: one of them must match, and only those that do are groups.
  const listed = (list: Sql, value: Sql) =>
    groupBy.includes(grouping)
      ? sql`and ${value} in ${given}`
      : sql`and exists (select 1 from json_each(${list}) x where x.value in ${given})`;
  switch (grouping) {
    case "activity_type":
      return listed(source.types === "types" ? sql`d.types` : sql`d.milestone_types`, sql`ty.value`);
    case "product":
      return listed(sql`d.product_ids`, sql`p.value`);
    case "group":
      return sql`and t.group_id in ${given}`;
    case "lead_source":
      return sql`and d.lead_source in ${given}`;
    case "lead_type":
      return sql`and d.lead_type_id in ${given}`;
    case "relations_path":
      return sql`and d.relations_path_id in ${given}`;
    case "team":
      return sql`and ${teamOf(source)} in ${given}`;
    case "user":
      return sql`and f.user_id in ${given}`;
    case "company":
      return sql``;
  }
}
