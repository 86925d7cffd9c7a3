/**
 * The recipients of a campaign, as SQL over contacts: the contacts that its filter selects and that its user
 * and its team or group see, with consent and an address.
 */
import { type Caller, makeCaller } from "../../core/access.ts";
import { composeCaseFold } from "../../db/case_fold.ts";
import { readMemberRow, selectMemberJson } from "../../db/caller_guard.ts";
import { selectFieldsJson } from "../../db/custom_values.ts";
import { readCompanyFields } from "../../fields/field_sets.ts";
import { makeTeamScope, type Scope } from "../../db/scope.ts";
import { identifier, joinSql, type Sql, sql } from "../../db/statements.ts";
import { isNotBeingDeleted } from "../../customers/accounts/being_deleted.ts";
import { contactRows } from "../../customers/contacts/filter_fields.ts";
import { buildCatalogue, type Contribution } from "../../customers/filter_catalogue.ts";
import { compileFilter } from "../../filters/compile.ts";
import { parseFilter } from "../../filters/parse.ts";
import { choosePath, indexPaths, withRowConditions } from "../../lists/access_path.ts";
import { makeTestCondition } from "../../lists/conditions.ts";
import { composePathRows } from "../../lists/plan.ts";
import type { Selection } from "../../lists/selection.ts";
import type { Row } from "../../platform/database/database.ts";
import { hasConsented, isBounced, isCallRefused, isRefused, type Reached } from "../consent.ts";
import type { CampaignRow } from "./record.ts";

/** The facts that select the recipients, as of one moment. Plain JSON, so that staged work can keep it. */
export interface Audience {
  readonly company_id: number;
  readonly type: CampaignRow["type"];
  /** JSON. */
  readonly filter: string;
  /** The row of the campaign's user. */
  readonly member: Row;
  /** JSON of the company's fields, which the filter may name. */
  readonly fields: string | null;
  /** The teams whose contacts the campaign's team or group sees; null: all. */
  readonly teams: readonly number[] | null;
  /** Whether only contacts that have agreed are recipients. */
  readonly asks: boolean;
  readonly now: number;
  readonly at: string;
}

/** SQL: the columns of an alias `o` of campaigns that `readAudience` reads. */
export const audienceColumns = sql`${selectMemberJson(sql`o.user_id`)} as member,
  ${selectFieldsJson(sql`o.company_id`)} as fields,
  case when o.team_id is not null then (select json_group_array(t.id) from teams t where t.id = o.team_id
      or t.group_id = (select own.group_id from teams own where own.id = o.team_id))
    when o.group_id is not null then (select json_group_array(t.id) from teams t where t.group_id = o.group_id)
    end as owner_teams,
  coalesce((select s.consent_enable from campaign_settings s where s.company_id = o.company_id), 0) as asks`;

/** Reads a row with `audienceColumns`; null when the campaign's user was deleted. */
export function readAudience(
  row: Row,
  { company_id, type, filter }: Pick<CampaignRow, "company_id" | "type" | "filter">,
  { now, at }: { readonly now: number; readonly at: string },
): Audience | null {
  if (row.member === null) return null;
  return {
    company_id,
    type,
    filter: filter ?? "[]",
    member: JSON.parse(row.member as string) as Row,
    // Left out without a filter, because the definitions can be long.
    fields: filter === null || filter === "[]" ? null : row.fields as string | null,
    teams: row.owner_teams === null ? null : JSON.parse(row.owner_teams as string) as number[],
    asks: row.asks === 1,
    now,
    at,
  };
}

/** Returns the part of an audience that the caller sees too. */
export function limitToSeen(caller: Caller, audience: Audience): Audience {
  const { streams } = makeTeamScope(caller);
  if (streams === null) return audience;
  const seen = streams[0]!.values.filter((id) => id !== null).map(Number);
  return { ...audience, teams: audience.teams?.filter((id) => seen.includes(id)) ?? seen };
}

/** Conditions on a row of contacts. */
type Test = (own: string) => Sql;

export interface AudienceSql {
  /** The contacts that the filter selects and that are visible. */
  readonly selected: Test;
  readonly consented: Test;
  readonly hasAddress: Test;
  /** Whether a mail server has refused the address permanently. */
  readonly bounced: Test;
  /** The address in lower case, for e-mails; otherwise null. */
  readonly key: Test;
  /** SQL after `from`: `… where …` finds the selected contacts as `y`, by the cheapest path. */
  readonly rows: () => Sql;
}

/** Returns the SQL of an audience. Throws 422 when the filter names a field that was deleted. */
export function compileAudience(audience: Audience, contributions: readonly Contribution[]): AudienceSql {
  const { company_id, type, asks } = audience;
  const { scope, selection } = compileSelection(audience, contributions);
  const conditions = [
    ...selection.conditions,
    makeTestCondition((own) => isNotBeingDeleted(identifier(own, "account_id")), 1),
  ];
  const channel: Reached = type === "telephone" ? "call" : type;
  const consent = identifier(`consent_${channel}`);
  return {
    selected: (own) => joinSql([isInTeams(scope, own), ...conditions.map(({ test }) => test(own))], " and "),
    consented: (own) =>
      sql`(${hasConsented(sql`${identifier(own)}.${consent}`, asks ? sql`1` : sql`0`)}
        and not ${refused[type](sql`${company_id}`, own)})`,
    hasAddress: hasAddress[type],
    bounced: type === "email"
      ? (own) => isBounced(sql`${company_id}`, composeCaseFold(own, "email"))
      : () => sql`0`,
    key: type === "email" ? (own) => composeCaseFold(own, "email") : () => sql`null`,
    rows: () => {
      const path = choosePath([
        ...indexPaths(contactRows, scope, conditions),
        ...selection.paths(scope).map((each) => withRowConditions(each, conditions)),
      ], conditions);
      if (path) return composePathRows("contacts", scope, conditions, path);
      const terms = [sql`y.company_id = ${company_id}`, isInTeams(scope, "y")];
      return sql`contacts y
        where ${joinSql([...terms, ...conditions.map(({ test }) => test("y"))], " and ")}`;
    },
  };
}

/** Whether the address of the contact has refused the channel. */
const refused: Readonly<Record<CampaignRow["type"], (companyId: Sql, own: string) => Sql>> = {
  email: (companyId, own) => isRefused(companyId, composeCaseFold(own, "email")),
  letter: () => sql`0`,
  telephone: (companyId, own) => isCallRefused(companyId, identifier(own, "e164")),
};

const hasAddress: Readonly<Record<CampaignRow["type"], Test>> = {
  email: (own) => sql`coalesce(${identifier(own, "email")}, '') <> ''`,
  letter: (own) =>
    sql`exists (select 1 from accounts a where a.id = ${identifier(own, "account_id")}
      and coalesce(a.address, '') <> '' and (coalesce(a.zip_code, '') <> '' or coalesce(a.city, '') <> ''))`,
  telephone: (own) => sql`coalesce(${identifier(own, "phone_number")}, '') <> ''`,
};

/**
 * Returns the filter as the campaign's user sees it, and the teams that both the user and the campaign's
 * owner see.
 */
function compileSelection(
  { company_id, member, fields, teams, filter, now, at }: Audience,
  contributions: readonly Contribution[],
): { readonly scope: Scope; readonly selection: Selection } {
  const user = readMemberRow(member);
  const viewer = { at, caller: makeCaller(user), fields: readCompanyFields(fields, user) };
  const catalogue = buildCatalogue(viewer, "contact", contributions);
  const { nodes } = parseFilter(JSON.parse(filter), catalogue, now, { kept: true });
  const selection = compileFilter(nodes, { root: catalogue.root, companyId: company_id, now: at });
  const scope = makeTeamScope(user);
  if (teams === null) return { scope, selection };
  const seen = scope.streams?.[0]?.values ?? null;
  const values = seen === null
    ? [null, ...teams]
    : seen.filter((id) => id === null || teams.includes(Number(id)));
  return { scope: { companyId: company_id, streams: [{ column: "team_id", values }] }, selection };
}

/** SQL: whether the scope has the row's team, in a form for which SQLite uses no index. */
function isInTeams({ streams }: Scope, own: string): Sql {
  if (streams === null) return sql`1`;
  const teams = JSON.stringify(streams[0]!.values.filter((id) => id !== null));
  const team = sql`+${identifier(own, "team_id")}`;
  return sql`(${team} is null or ${team} in (select value from json_each(${teams})))`;
}
