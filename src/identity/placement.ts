/** The team and user that the body of a new record names, as one statement for the verb's read batch. */
import { type Caller, place as decide, type Placement, type PlacementFacts } from "../core/access.ts";
import type { Result, Row, Statement } from "../platform/database/database.ts";
import { statement } from "../db/statements.ts";

export interface Placed extends Placement {
  /** For showing: `user {id, name}`. */
  readonly user_name: string;
}

interface Named {
  team_id?: number | null | undefined;
  user_id?: number | null | undefined;
}

/** Reads the facts that `placed` needs. */
export function placementFacts(caller: Caller, body: Named): Statement {
  return statement(
    "select (select json_object('id', t.id, 'group_id', t.group_id) from teams t where t.id = ? and t.company_id = ?) as team, " +
      "(select json_object('id', u.id, 'name', u.first_name || ' ' || u.last_name, " +
      "'team_ids', (select json_group_array(m.team_id) from team_members m where m.user_id = u.id)) " +
      "from users u where u.id = ? and u.company_id = ? and u.deleted_at is null) as user",
    body.team_id ?? null,
    caller.companyId,
    body.user_id ?? caller.userId,
    caller.companyId,
  );
}

/** What `placementFacts` found. */
export function readFacts(result: Result): PlacementFacts & { userName: string | null } {
  const row: Row = result.rows[0]!;
  const user = row.user === null
    ? null
    : JSON.parse(row.user as string) as { id: number; name: string; team_ids: number[] };
  return {
    team: row.team === null ? null : JSON.parse(row.team as string),
    user,
    userName: user?.name ?? null,
  };
}

/** Where the record goes; 422 where the body names a team or user that the caller may not use. */
export function placed(caller: Caller, body: Named, result: Result): Placed {
  const facts = readFacts(result);
  return { ...decide(caller, body, facts), user_name: facts.userName ?? "" };
}
