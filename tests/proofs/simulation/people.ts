/** Inserts the teams and users of a company in one batch, because tests create hundreds of companies. */
import { makeId, makeToken } from "../../../src/core/ids.ts";
import type { UserType } from "../../../src/core/rights.ts";
import { userTypes } from "../../../src/core/rights.ts";
import { formatTimestamp } from "../../../src/core/time.ts";
import { insert } from "../../../src/db/statements.ts";
import { applications } from "../../../src/identity/applications/table.ts";
import { accessTokens } from "../../../src/identity/auth/table.ts";
import { companies } from "../../../src/identity/companies/table.ts";
import { groups } from "../../../src/identity/groups/record.ts";
import { roleRights, roles, userRoles } from "../../../src/identity/roles/record.ts";
import { teams } from "../../../src/identity/teams/record.ts";
import { teamMembers } from "../../../src/identity/teams/table.ts";
import { users } from "../../../src/identity/users/record.ts";
import { sha256 } from "../../../src/platform/crypto.ts";
import type { Statement } from "../../../src/platform/database/database.ts";
import type { TestApp } from "../../support/app.ts";
import type { Plan, Who } from "./model.ts";

export interface Person {
  readonly id: number;
  readonly token: string;
}

export interface Settled {
  readonly id: number;
  readonly teams: readonly number[];
  readonly agencies: readonly number[];
  readonly people: ReadonlyMap<Who, Person>;
}

/** The distance between the ids of companies, which leaves room for the ids of their teams and users. */
const room = 100;
let made = 0;

/**
 * Creates a company with an admin, a member of each dealer, and two agencies with an agency user each, one of
 * them also in a dealer.
 */
export async function settlePeople({ deps, clock }: TestApp, plan: Plan): Promise<Settled> {
  const id = 1_000_000 + room * ++made;
  const at = formatTimestamp(clock.now());
  const stamps = { created_at: at, updated_at: at };
  const place = { timezone: "UTC", locale: "en-GB" };
  const group = id + 1;
  const role = id + 2;
  const dealers = plan.zones.map((_, index) => id + 10 + index);
  const agencies = [id + 30, id + 31] as const;
  const people = new Map<Who, Person>();
  const rows: Statement[] = [
    insert(companies, { id, name: "Acme", ...place, language: "en", currency: "EUR", ...stamps }),
    insert(groups, { id: group, company_id: id, name: "All", ...stamps }),
    insert(roles, { id: role, company_id: id, name: "Agency", ...stamps }),
    insert(roleRights, { role_id: role, right_name: "agency" }),
    ...dealers.map((team, index) =>
      insert(teams, {
        id: team,
        company_id: id,
        name: "Dealer",
        team_type: "dealer",
        group_id: plan.grouped && index < 2 ? group : null,
        ...place,
        timezone: plan.zones[index]!,
        ...stamps,
      })
    ),
    ...agencies.map((team) =>
      insert(teams, { id: team, company_id: id, name: "Agency", ...place, ...stamps })
    ),
  ];
  const join = (who: Who, type: UserType, teamIds: readonly number[]) => {
    const person = { id: id + 50 + people.size, token: makeToken() };
    people.set(who, person);
    const email = `${makeId()}@example.org`;
    const client_id = makeId();
    rows.push(
      insert(users, {
        id: person.id,
        company_id: id,
        first_name: "Ada",
        last_name: "Byron",
        email,
        email_key: email,
        ...place,
        user_type: userTypes[type],
        active_team_id: teamIds[0] ?? null,
        ...stamps,
      }),
      insert(applications, {
        client_id,
        company_id: id,
        user_id: person.id,
        name: "Test",
        secret_hash: sha256(client_id),
        secret_hint: "test",
        ...stamps,
      }),
      insert(accessTokens, {
        hash: sha256(person.token),
        id: makeId(),
        client_id,
        user_id: person.id,
        expires_at: Date.UTC(2100, 0),
        created_at: at,
      }),
      ...teamIds.map((team_id) => insert(teamMembers, { user_id: person.id, team_id })),
      ...(who.startsWith("agent") ? [insert(userRoles, { user_id: person.id, role_id: role })] : []),
    );
  };
  join("admin", "admin", []);
  for (const [index, team] of dealers.entries()) join(`member${index}`, "user", [team]);
  join("agent0", "user", [agencies[0]]);
  // `agent1` also sees leads of this dealer that belong to another agency.
  join("agent1", "user", [agencies[1], dealers[0]!]);
  await deps.db.write(rows);
  return { id, teams: dealers, agencies, people };
}
