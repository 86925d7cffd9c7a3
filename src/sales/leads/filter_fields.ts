/**
 * Filter fields of leads. An accepted lead counts for the account and contact of its acceptance, any other
 * lead for those that it names.
 */
import { isAdmin } from "../../core/access.ts";
import type { Viewer } from "../../db/context.ts";
import { identifier, joinSql, literal, type Sql, sql } from "../../db/statements.ts";
import {
  type Catalogue,
  column,
  expression,
  type FilterField,
  type Relation,
  type Values,
} from "../../filters/fields.ts";
import { composeCaseFold } from "../../db/case_fold.ts";
import { choosePartyColumn, type Fields, relateFields } from "../filter_relations.ts";
import { listIndexes } from "../../lists/indexes.ts";
import { leadStatuses } from "./lifecycle.ts";
import { composeParty } from "./party.ts";
import { leads } from "./record.ts";

export const leadIndexes = listIndexes(leads);

/** Returns the catalogue of fields for lists of leads, which exclude expired and deleted ones. */
export function makeLeadCatalogue({ caller }: Viewer): Catalogue {
  const root: Relation = {
    name: "lead",
    above: null,
    many: false,
    table: "leads",
    link: () => sql`1`,
    counts: null,
    indexes: leadIndexes,
  };
  const fields = relateFields(root, describeFields(caller.companyId));
  return {
    companyId: caller.companyId,
    root,
    field: (name) => Object.hasOwn(fields, name) ? fields[name]! : null,
    names: () => Object.keys(fields),
  };
}

/** SQL: whether the lead has not expired and is not deleted. `deleted` includes deleted leads. */
export function isLiveLead(own: string, at: string, deleted: boolean): Sql {
  const lead = identifier(own);
  const there = deleted
    ? sql`(+${lead}.hidden = 0 or +${lead}.deleted_at is not null)`
    : sql`+${lead}.hidden = 0`;
  return sql`${there} and (+${lead}.expires_at is null or +${lead}.expires_at > ${at})`;
}

/** Returns the fields `lead.*` of a filter over accounts, contacts or cases, of the leads that the caller sees. */
export function describeLeadFields(ctx: Viewer, root: Relation): Fields {
  const party = choosePartyColumn(root);
  const seen = makeSeenConditions(ctx);
  const ownLeads: Relation = {
    name: "lead",
    above: root,
    many: true,
    table: "leads",
    // The affinity of the column would prevent the use of an index on an expression, which has no affinity.
    // The `+` removes it.
    link: (own, above) => sql`${composeParty(own, party)} = +${identifier(above, "id")}`,
    up: (own, above) => sql`${identifier(above, "id")} = ${composeParty(own, party)}`,
    counts: (own, all) => joinSql([isLiveLead(own, ctx.at, all), ...seen(own)], " and "),
    indexes: leadIndexes,
  };
  return relateFields(ownLeads, describeFields(ctx.caller.companyId));
}

/**
 * Returns conditions for the leads that the caller sees, as in lists: by team, and for agency users also by
 * agency.
 */
function makeSeenConditions({ caller }: Viewer): (own: string) => Sql[] {
  if (isAdmin(caller)) return () => [];
  const among = (column: Sql, ids: readonly number[]) =>
    sql`+${column} in (select value from json_each(${JSON.stringify(ids)}))`;
  return (own) => {
    const team = among(identifier(own, "team_id"), caller.visibleTeamIds);
    if (!caller.rights.has("agency")) return [team];
    return [
      sql`(${team} or +${identifier(own, "agency_team_id")} is null
        or ${among(identifier(own, "agency_team_id"), caller.teamIds)})`,
    ];
  };
}

type Described = Readonly<Record<string, Omit<FilterField, "relation">>>;

function describeFields(companyId: number): Described {
  return {
    team_id: { type: "integer", value: column("team_id") },
    account_id: { type: "text", value: expression((own) => composeParty(own, "account_id")) },
    contact_id: { type: "text", value: expression((own) => composeParty(own, "contact_id")) },
    case_id: { type: "text", value: column("case_id") },
    interest: {
      type: "text",
      written: "lines",
      value: expression((own) => composeCaseFold(own, "interest")),
    },
    lead_source: { type: "text", value: expression((own) => composeCaseFold(own, "lead_source")) },
    lead_type: { type: "text", value: describeTypeName(companyId) },
    lead_type_id: { type: "text", value: column("lead_type_id") },
    status: { type: "text", value: column("status"), choices: new Set(leadStatuses), share: 0.2 },
    created_at: { type: "timestamp", value: column("created_at") },
    updated_at: { type: "timestamp", value: column("updated_at") },
    expires_at: { type: "timestamp", value: column("expires_at") },
    deleted_at: { type: "timestamp", value: column("deleted_at"), reveals: true },
    "acceptions.team_id": { type: "number", value: describeTeams("acception") },
    "assignments.team_id": { type: "number", value: describeTeams("assignment") },
    "rejections.team_id": { type: "number", value: describeTeams("rejection") },
  };
}

function describeTypeName(companyId: number): Values {
  return {
    kind: "values",
    from: sql`lead_types v`,
    of: (own) => sql`v.id = ${identifier(own, "lead_type_id")}`,
    sql: composeCaseFold("v", "name"),
    found: { field: sql`v.company_id = ${companyId}`, key: "id", owner: "lead_type_id" },
  };
}

function describeTeams(kind: string): Values {
  return {
    kind: "values",
    from: sql`lead_transitions v`,
    of: (own) => sql`v.lead_id = ${identifier(own, "id")} and v.kind = ${literal(kind)}`,
    sql: sql`v.team_id`,
    found: { field: sql`v.kind = ${literal(kind)}`, key: "lead_id", owner: "id" },
  };
}
