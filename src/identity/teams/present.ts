/** Presents teams. */
import { lateNumber } from "../../core/answer.ts";
import { extended, object, type Plain } from "../../core/json.ts";
import { countryJson, formatPhone, localeJson, timezone } from "../../core/reference.ts";
import { presentGroupSummary } from "./group.ts";
import type { Fields } from "../../db/fields.ts";
import type { TeamFacts } from "./queries.ts";

/**
 * Presents the Team record with the fields that the viewer sees; `more` adds properties. The offset of its
 * time zone is that at `now` (epoch milliseconds).
 */
export function presentTeam<M extends Readonly<Record<string, Plain>> = Record<never, Plain>>(
  team: TeamFacts,
  now: number,
  { team: fields }: Fields,
  more: M = {} as M,
) {
  return extended(presentEmbeddedTeam(team, now), {
    custom_fields: fields.presentCustom(team.custom),
    ...more,
  });
}

/** Presents a team inside another record. */
export function presentEmbeddedTeam(team: TeamFacts, now: number) {
  return object({
    id: lateNumber(team.id),
    name: team.name,
    address_1: team.address_1,
    address_2: team.address_2,
    zip_code: team.zip_code,
    city: team.city,
    state: team.state,
    country: team.country === null ? null : countryJson(team.country),
    phone_number: team.phone_number,
    formatted_phone_number: formatPhone(team.phone_number, team.locale),
    website: team.website,
    vat: team.vat,
    timezone: timezone(team.timezone, now),
    locale: localeJson(team.locale),
    team_type: team.team_type,
    group_id: team.group_id,
    group: team.group ? presentGroupSummary(team.group) : null,
    use_social_lookup: team.use_social_lookup === 1,
    created_at: team.created_at,
    updated_at: team.updated_at,
  });
}
