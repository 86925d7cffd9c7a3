/** Counts the recipients of a campaign before it is sent. */
import { ok } from "../../core/answer.ts";
import { invalid, notFound, Problem } from "../../core/errors.ts";
import { isUuid } from "../../core/ids.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Contribution } from "../../customers/filter_catalogue.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { type Owner, seesOwner } from "../../identity/owners.ts";
import type { Row } from "../../platform/database/database.ts";
import {
  type Audience,
  audienceColumns,
  type AudienceSql,
  compileAudience,
  limitToSeen,
  readAudience,
} from "./audience.ts";
import type { CampaignRow } from "./record.ts";

/** Reads the campaign together with the caller. */
export const prefetchAudience: NonNullable<Endpoint["declared"]["prefetch"]> = (_, { campaign_id: id }) => {
  if (id === undefined || !isUuid(id)) return null;
  return (userId) =>
    sql`select o.company_id, o.team_id, o.group_id, o.kept_for, o.type, o.filter, ${audienceColumns} from users u
      join campaigns o on o.company_id = u.company_id where u.id = ${userId} and o.id = ${id.toLowerCase()}`;
};

/**
 * Reads, together with the caller, the audience of a campaign that is not stored, as if the campaign belonged
 * to the company. `teams`: JSON of all teams, each with its group.
 */
export const prefetchNewAudience: NonNullable<Endpoint["declared"]["prefetch"]> = () => (userId) =>
  sql`select o.company_id, ${audienceColumns}, (select json_group_array(json_array(t.id, t.group_id)) from teams t
    where t.company_id = o.company_id) as teams
    from (select u.id as user_id, u.company_id, null as team_id, null as group_id from users u
      where u.id = ${userId}) o`;

/** The audience of a campaign that is not stored, from a row of `prefetchNewAudience`. */
export function makeAudience(
  row: Row,
  { team_id, group_id }: Owner,
  campaign: Pick<CampaignRow, "company_id" | "type" | "filter">,
  at: Pick<Context, "now" | "at">,
): Audience | null {
  const teams = JSON.parse(row.teams as string) as [number, number | null][];
  const group = group_id ?? teams.find(([id]) => id === team_id)?.[1] ?? null;
  const seen = teams.filter(([id, of]) => id === team_id || (group !== null && of === group)).map(([id]) =>
    id
  );
  const audience = readAudience(row, campaign, at);
  return audience && { ...audience, teams: team_id === null && group_id === null ? null : seen };
}

type Found = Row & Owner & Pick<CampaignRow, "company_id" | "type" | "filter">;

/** Returns the number of recipients that the caller sees, and of the selected contacts that are excluded. */
export async function countRecipients(
  ctx: Context,
  contributions: readonly Contribution[],
  row: Row | null,
) {
  const campaign = row as Found | null;
  if (!campaign || !seesOwner(ctx.caller, campaign)) throw notFound();
  const audience = readAudience(campaign, campaign, ctx);
  if (audience === null) return ok(presentRecipients(noRecipients));
  const counted = selectCounts(
    relabelFaults(() => compileAudience(limitToSeen(ctx.caller, audience), contributions)),
  );
  const [found] = await ctx.deps.db.readOnThread([counted], { effort: "scan", company: campaign.company_id });
  return ok(presentRecipients(found!.rows[0] as Row & typeof noRecipients));
}

const noRecipients = { reached: 0, consent: 0, without_address: 0, bounced: 0, duplicate: 0 };

function presentRecipients({ reached, ...excluded }: typeof noRecipients) {
  const { consent, without_address, bounced, duplicate } = excluded;
  return { count: reached, excluded: { consent, without_address, bounced, duplicate } };
}

/**
 * SQL: the number of recipients, and of contacts without consent, then without an address, then with a bounced
 * one, then duplicates.
 */
function selectCounts({ consented, hasAddress, bounced, key, rows }: AudienceSql): Sql {
  const contacts = sql`select ${consented("y")} as c, ${hasAddress("y")} as a,
    ${bounced("y")} as b, ${key("y")} as k from ${rows()}`;
  return sql`select reached - duplicate as reached, consent, without_address, bounced, duplicate from (
    select coalesce(sum(not c), 0) as consent, coalesce(sum(c and not a), 0) as without_address,
      coalesce(sum(c and a and b), 0) as bounced, coalesce(sum(c and a and not b), 0) as reached,
      count(iif(c and a and not b, k, null)) - count(distinct iif(c and a and not b, k, null)) as duplicate from (${contacts}))`;
}

/**
 * Throws 422 at `campaign.filter` for a filter with faults: one of its fields may have been deleted since.
 */
function relabelFaults<T>(select: () => T): T {
  try {
    return select();
  } catch (error) {
    const faults = error instanceof Problem ? error.more.errors : undefined;
    if (!faults) throw error;
    throw invalid(...faults.map((fault) => ({ ...fault, path: "campaign.filter" })));
  }
}
