/** Presents users. */
import { describeTimezone, formatPhone, lookUpLocale } from "../../core/reference.ts";
import { nameUserType } from "../../core/rights.ts";
import { composePictureUrl, type Look } from "../pictures/address.ts";
import { presentEmbeddedTeam } from "../teams/present.ts";
import { presentUserMembers } from "./record.ts";
import type { UserFacts } from "./queries.ts";

/** Presents the User record; `more` adds fields for `/me`. */
export function presentUser<M extends object = Record<never, never>>(
  user: UserFacts,
  { now, origin }: Look,
  more: M = {} as M,
) {
  const active = user.teams.find((team) => team.id === user.active_team_id);
  const presented = presentUserMembers({
    ...user,
    formatted_phone_number: formatPhone(user.phone_number, user.locale),
    profile_picture: composePictureUrl(origin, user.profile_picture),
    locale: lookUpLocale(user.locale),
    timezone: describeTimezone(user.timezone, now),
    user_type: { id: user.user_type, name: nameUserType(user.user_type) },
    signature: { email: user.signature_email },
    team: active ? presentEmbeddedTeam(active, now) : null,
    teams: user.teams.map((team) => presentEmbeddedTeam(team, now)),
    roles: user.roles.map(({ id, name, created_at }) => ({ id, name, created_at, deleted_at: null })),
  });
  return { ...presented, ...more };
}
