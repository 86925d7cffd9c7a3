/**
 * Replaces a deleted user in lead types by the successor: among the users notified of escalations, and as the
 * user who takes a team's leads if the successor belongs to the team.
 */
import { sql } from "../../db/statements.ts";
import { changeAtOnce } from "../../identity/users/deletion.ts";

export const leadTypeReassignment = changeAtOnce(({ company_id, user_id, successor_id }, { at }) => [
  sql`update lead_types set
    escalation_user_ids = (select json_group_array(iif(e.value = ${user_id}, ${successor_id}, e.value)
      order by e.key) from json_each(escalation_user_ids) e where e.value <> ${user_id}
      or (${successor_id} is not null and not exists (select 1 from json_each(escalation_user_ids) other
      where other.value = ${successor_id}))),
    team_settings = (select json_group_array(json(iif(e.value ->> 'user_id' = ${user_id}, json_set(e.value,
      '$.user_id', (select m.user_id from team_members m where m.team_id = e.value ->> 'team_id'
      and m.user_id = ${successor_id})), e.value)) order by e.key) from json_each(team_settings) e),
    updated_at = ${at}, version = version + 1
    where company_id = ${company_id}
    and (exists (select 1 from json_each(escalation_user_ids) e where e.value = ${user_id})
    or exists (select 1 from json_each(team_settings) e where e.value ->> 'user_id' = ${user_id}))`,
]);
