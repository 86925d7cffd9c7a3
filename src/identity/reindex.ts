/** What users, teams and invitations keep for search and sign-in, computed again. */
import { reindexValues } from "../db/custom_values.ts";
import { sql } from "../db/statements.ts";
import type { Row, Statement } from "../platform/database/database.ts";
import { changeForms, only, type Reindexed } from "../staged/reindex.ts";
import { makeEmailKey } from "./email_key.ts";
import { indexTeam } from "./teams/write.ts";
import { indexUser } from "./users/write.ts";

export const reindexedUsers: Reindexed = {
  table: "users",
  where: sql`deleted_at is null`,
  select: only("first_name", "last_name", "email", "email_key"),
  write: (_, rows) => [
    ...changeKeys("users", rows),
    ...rows.map((row) => indexUser(sql`${row.id!}`, row as Parameters<typeof indexUser>[1] & Row)),
  ],
};

export const reindexedTeams: Reindexed = {
  table: "teams",
  select: only("name", "custom"),
  write: ({ fields }, rows) => [
    ...rows.map(({ id, company_id, name }) =>
      indexTeam(sql`${id!}`, { company_id: Number(company_id), name: String(name) })
    ),
    ...reindexValues(fields.all.team.custom, rows.map(({ id, custom }) => ({ seq: id!, custom: custom! }))),
  ],
};

export const reindexedInvitations: Reindexed = {
  table: "invitations",
  select: only("email", "email_key"),
  write: (_, rows) => changeKeys("invitations", rows),
};

function changeKeys(table: string, rows: readonly Row[]): Statement[] {
  return changeForms(table, rows, ({ email }) => ({ email_key: makeEmailKey(String(email)) }), true);
}
