/** Presents teams. */
import { describeTimezone, formatPhone, lookUpCountry, lookUpLocale } from "../../core/reference.ts";
import { presentGroupSummary } from "../groups/record.ts";
import type { Fields } from "../../fields/field_sets.ts";
import type { TeamFacts } from "./queries.ts";
import { presentTeamMembers } from "./record.ts";

/**
 * Presents the Team record with the fields that the viewer sees; `more` adds properties. The offset of its
 * time zone is that at `now` (epoch milliseconds).
 */
export function presentTeam<M extends object = Record<never, never>>(
  team: TeamFacts,
  now: number,
  { team: fields }: Fields,
  more: M = {} as M,
) {
  return { ...presentEmbeddedTeam(team, now), custom_fields: fields.presentCustom(team.custom), ...more };
}

/** Presents a team inside another record. */
export function presentEmbeddedTeam(team: TeamFacts, now: number) {
  return presentTeamMembers({
    ...team,
    country: team.country === null ? null : lookUpCountry(team.country),
    formatted_phone_number: formatPhone(team.phone_number, team.locale),
    timezone: describeTimezone(team.timezone, now),
    locale: lookUpLocale(team.locale),
    group: team.group && presentGroupSummary(team.group),
  });
}
