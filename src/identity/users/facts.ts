/** Facts of users: their creation and deletion, and their membership in teams. */
import { factNow, makeFactTrigger, toEpochSeconds } from "../../facts/facts.ts";
import type { SchemaObject } from "../../db/triggers.ts";

const user = { kind: "user", company: "new.company_id", user: "new.id" } as const;

/** The fact of a membership. It reads the user's row, which exists whenever a membership begins or ends. */
const member = (row: "old" | "new") => ({
  kind: "user_team",
  company: "u.company_id",
  at: `max(${factNow}, ${toEpochSeconds("u.created_at")})`,
  user: `${row}.user_id`,
  team: `${row}.team_id`,
  from: "users u",
  where:
    `u.id = ${row}.user_id and exists (select 1 from companies o where o.id = u.company_id and o.deleted_at is null)`,
} as const);

export const userFacts: readonly SchemaObject[] = [
  makeFactTrigger("facts_user_created", "after insert on users", {
    ...user,
    at: toEpochSeconds("new.created_at"),
    recorded: toEpochSeconds("new.created_at"),
  }),
  makeFactTrigger(
    "facts_user_deleted",
    "after update of deleted_at on users when old.deleted_at is null and new.deleted_at is not null",
    {
      ...user,
      at: toEpochSeconds("new.deleted_at"),
      recorded: toEpochSeconds("new.deleted_at"),
      weight: "-1",
    },
  ),
  makeFactTrigger("facts_member_added", "after insert on team_members", member("new")),
  makeFactTrigger("facts_member_removed", "after delete on team_members", { ...member("old"), weight: "-1" }),
];
