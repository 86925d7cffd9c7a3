/**
 * Lead types that name a deleted user. Who is told of escalations in their place is the heir, where there is
 * one; who takes leads for a team is the heir where that belongs to the team.
 */
import { statement } from "../../db/statements.ts";
import type { UserReassignment } from "../../identity/users/deletion.ts";

export const leadTypeReassignment: UserReassignment = {
  reads: () => [],
  apply: ({ at }, { company_id, user_id, heir_id }) => ({
    statements: [statement(
      "update lead_types set escalation_user_ids = " +
        "(select json_group_array(iif(e.value = ?1, ?2, e.value) order by e.key) " +
        "from json_each(escalation_user_ids) e where e.value <> ?1 or (?2 is not null and not exists " +
        "(select 1 from json_each(escalation_user_ids) other where other.value = ?2))), " +
        "team_settings = (select json_group_array(json(iif(e.value ->> 'user_id' = ?1, json_set(e.value, " +
        "'$.user_id', (select m.user_id from team_members m where m.team_id = e.value ->> 'team_id' " +
        "and m.user_id = ?2)), e.value)) order by e.key) from json_each(team_settings) e), " +
        "updated_at = ?3, version = version + 1 where company_id = ?4 and (exists (select 1 from " +
        "json_each(escalation_user_ids) e where e.value = ?1) or exists (select 1 from " +
        "json_each(team_settings) e where e.value ->> 'user_id' = ?1))",
      user_id,
      heir_id,
      at,
      company_id,
    )],
    events: [],
    more: false,
  }),
};
