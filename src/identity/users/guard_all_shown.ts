import { guardVersions } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { UserFacts } from "./queries.ts";

/** Refuses the batch when a team, group or role of one of the users has changed. */
export function guardAllShown(users: readonly UserFacts[]): Statement[] {
  const teams = users.flatMap((user) => user.teams);
  return [
    guardVersions("teams", eachOnce(teams)),
    guardVersions("groups", eachOnce(teams.flatMap(({ group }) => group ?? []))),
    guardVersions("roles", eachOnce(users.flatMap((user) => user.roles))),
  ];
}

function eachOnce<T extends { readonly id: number | null }>(records: readonly T[]): T[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}
