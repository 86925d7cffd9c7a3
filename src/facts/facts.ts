/**
 * SQL that records facts: in triggers, when rows of a table change, and as a statement of a commit, for facts
 * that no table shows. Triggers read the moment of the batch from `fact_moments`, which `commit` writes
 * first.
 */
import { type FactKind, factKinds } from "../core/fact_kinds.ts";
import { type SchemaObject, trigger } from "../db/triggers.ts";
import { type Sql, sql } from "../db/statements.ts";

/** SQL of a trigger: the moment of the running batch, epoch seconds. */
export const factNow =
  "ifnull((select m.at from fact_moments m where m.id = 1), cast(strftime('%s', 'now') as integer))";

/** SQL of a trigger: a timestamp as epoch seconds. */
export function toEpochSeconds(timestamp: string): string {
  return `cast(strftime('%s', ${timestamp}) as integer)`;
}

/** SQL expressions of a fact over the rows `new` and `old` of a trigger, and those of `from`. */
export interface FactSql {
  readonly kind: FactKind;
  readonly company: string;
  /** Epoch seconds. */
  readonly at: string;
  /** Epoch seconds; default: the moment of the batch. */
  readonly recorded?: string;
  readonly user?: string;
  readonly team?: string;
  /** The properties; absent for none. */
  readonly dims?: Dims;
  /** Instead of `dims`: the id of the properties. */
  readonly dim?: string;
  readonly subject?: string;
  readonly flags?: string;
  readonly weight?: string;
  readonly value?: string;
  readonly value2?: string;
  /** Tables and joins, without `from`. */
  readonly from?: string;
  readonly where?: string;
  /**
   * Replaces `from` for writing the properties: rows with each set once, where many rows of `from` share a
   * set.
   */
  readonly dimsFrom?: string;
}

/** SQL expressions of the shared properties; lists are JSON texts. */
export interface Dims {
  readonly path?: string;
  readonly leadType?: string;
  readonly leadSource?: string;
  readonly fromLead?: string;
  readonly types?: string;
  readonly milestoneTypes?: string;
  readonly products?: string;
  readonly agency?: string;
}

function makeKey(dims: Dims): string {
  const { path, leadType, leadSource, fromLead, types, milestoneTypes, products, agency } = dims;
  const list = (json: string | undefined) => json === undefined ? "null" : `json(${json})`;
  return `json_array(${path ?? "null"}, ${leadType ?? "null"}, ${leadSource ?? "null"}, ` +
    `${fromLead ?? "null"}, ${list(types)}, ${list(milestoneTypes)}, ${list(products)}, null, ` +
    `${agency ?? "null"})`;
}

/** The statements that record a fact, for the body of a trigger. */
export function composeFact(fact: FactSql): string[] {
  const { company, from, where, dims, dimsFrom = from } = fact;
  const condition = where ? ` where ${where}` : "";
  const user = fact.user ?? "null";
  const dim = dims
    ? `(select d.id from fact_dims d where d.company_id = ${company} and d.key = ${makeKey(dims)})`
    : fact.dim ?? "null";
  const columns: Record<string, string> = {
    company_id: company,
    kind: String(factKinds[fact.kind]),
    at: fact.at === factNow ? factNow : `ifnull(${fact.at}, ${factNow})`,
    recorded_at: fact.recorded ? `ifnull(${fact.recorded}, ${factNow})` : factNow,
    user_id: user,
    zone: user === "null" ? "null" : `(select u.timezone from users u where u.id = ${user})`,
    team_id: fact.team ?? "null",
    dim_id: dim,
    subject: fact.subject ?? "null",
    flags: fact.flags ?? "0",
    weight: fact.weight ?? "1",
    value: fact.value ?? "null",
    value2: fact.value2 ?? "null",
  };
  const insert = `insert into facts (${Object.keys(columns).join(", ")})\n` +
    `    select ${Object.values(columns).join(", ")}${from ? ` from ${from}` : ""}${condition}`;
  if (!dims) return [insert];
  const some = `${dimsFrom ? ` from ${dimsFrom}` : ""}${condition || " where true"}`;
  const key = makeKey(dims);
  return [
    `insert into fact_dims (company_id, key) select ${company}, ${key}${some} on conflict do nothing`,
    insert,
  ];
}

/** A trigger that records facts. `when`: as of `trigger`, such as `after insert on users`. */
export function makeFactTrigger(name: string, when: string, ...facts: readonly FactSql[]): SchemaObject {
  return trigger(name, when, ...facts.flatMap(composeFact));
}

/** SQL: whether the company of a deleted row still exists. The erasure of a company records no facts. */
export const companyStays =
  "exists (select 1 from companies o where o.id = old.company_id and o.deleted_at is null)";

/** SQL: whether one of the columns differs between `old` and `new`. */
export function anyChanged(columns: readonly string[]): string {
  return `(${columns.map((column) => `old.${column} is not new.${column}`).join(" or ")})`;
}

/**
 * Records a fact that no table shows, at the moment of the commit (`now`, epoch milliseconds). Ids are
 * numbers, or SQL that selects one.
 */
export function insertFact(
  now: number,
  fact: {
    readonly kind: FactKind;
    readonly company_id: number | Sql;
    readonly user_id?: number | null | Sql;
    readonly team_id?: number | null | Sql;
  },
): Sql {
  const { kind, company_id, user_id = null, team_id = null } = fact;
  const at = Math.floor(now / 1000);
  return sql`insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id)
    values (${company_id}, ${factKinds[kind]}, ${at}, ${at}, ${user_id},
    (select timezone from users where id = ${user_id}), ${team_id})`;
}
