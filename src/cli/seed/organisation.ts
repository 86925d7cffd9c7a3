/** The made-up company: groups, teams, users and roles. */
import { searchTokens } from "../../core/text.ts";
import { userTypes } from "../../core/rights.ts";
import { formatTimestamp } from "../../core/time.ts";
import { insert, insertAll, sql } from "../../db/statements.ts";
import { companies } from "../../identity/companies/table.ts";
import { groups } from "../../identity/groups/record.ts";
import { roleRights, roles, userRoles } from "../../identity/roles/record.ts";
import { searchScope } from "../../identity/teams/queries.ts";
import { teams } from "../../identity/teams/record.ts";
import { teamMembers } from "../../identity/teams/table.ts";
import { makeEmailKey } from "../../identity/email_key.ts";
import { users } from "../../identity/users/record.ts";
import type { Database, Statement } from "../../platform/database/database.ts";
import { formatSlug, makePerson, makePhone } from "./people.ts";
import type { Pool } from "./pools.ts";
import type { Random } from "./random.ts";
import { insertWords } from "./rows.ts";

export interface Organisation {
  readonly companyId: number;
  readonly adminId: number;
  /** Users to sign in as: the admin, a user of the agency, a user of the first dealer team. */
  readonly signIns: { readonly admin: string; readonly agency: string; readonly dealer: string };
  readonly agencyTeamId: number;
  readonly dealers: readonly Dealer[];
}

export interface Dealer {
  readonly teamId: number;
  readonly timezone: string;
  readonly pool: Pool;
  readonly userIds: readonly number[];
}

export interface OrganisationPlan {
  readonly teams: number;
  readonly users: number;
  /** Epoch milliseconds: when the company began. */
  readonly begin: number;
  /** Hash of the password of all users. */
  readonly passwordHash: string;
}

type Team = typeof teams.$inferInsert & { readonly id: number };
type User = typeof users.$inferInsert & { readonly id: number };

/** Writes the company and returns the ids that its customers and sales need. */
export async function makeOrganisation(
  db: Database,
  random: Random,
  pools: readonly Pool[],
  plan: OrganisationPlan,
): Promise<Organisation> {
  const last = await readLastIds(db);
  const at = formatTimestamp(plan.begin);
  const companyId = last("companies") + 1;
  const stamps = { company_id: companyId, created_at: at, updated_at: at };
  const regions = ["North", "South", "West", "East"].map((name, index) => ({
    id: last("groups") + 1 + index,
    name,
    ...stamps,
  }));
  const home = pools[0]!;
  const made = Array.from({ length: plan.teams }, (_, index): Team => {
    const pool = pools[index % pools.length]!;
    const place = random.pick(pool.places);
    return {
      id: last("teams") + 1 + index,
      group_id: index === 0 ? null : regions[index % regions.length]!.id,
      name: index === 0 ? "Head office" : `Meridian ${place.city}`,
      address_1: place.street,
      zip_code: place.zip_code,
      city: place.city,
      country: pool.code,
      phone_number: makePhone(random, pool),
      timezone: pool.timezone,
      locale: pool.locale,
      team_type: index === 0 ? null : "dealer",
      ...stamps,
    };
  });
  const domain = companyId === 1 ? "demo.example" : `demo-${companyId}.example`;
  const signIns = { admin: `admin@${domain}`, agency: `agency@${domain}`, dealer: `dealer@${domain}` };
  const roleId = last("roles") + 1;
  const people = Array.from({ length: plan.users }, (_, index): User => {
    const teamIndex = index === 0 ? 0 : (index - 1) % made.length;
    const someone = makePerson(random, pools[teamIndex % pools.length]!, domain);
    const name = `${formatSlug(someone.first_name)}.${formatSlug(someone.last_name)}.${index}`;
    const email = Object.values(signIns)[index] ?? `${name}@${domain}`;
    return {
      id: last("users") + 1 + index,
      first_name: someone.first_name,
      last_name: someone.last_name,
      email,
      email_key: makeEmailKey(email),
      phone_number: someone.phone_number,
      job_title: index === 0 ? "Managing director" : teamIndex === 0 ? "Lead desk" : "Sales consultant",
      locale: made[teamIndex]!.locale,
      timezone: made[teamIndex]!.timezone,
      user_type: index === 0 ? userTypes.admin : userTypes.user,
      active_team_id: made[teamIndex]!.id,
      password_hash: plan.passwordHash,
      ...stamps,
    };
  });
  const scope = searchScope(companyId);
  await db.write([
    insert(companies, makeCompanyRow(companyId, home, at)),
    insertAll(groups, regions),
    insertAll(roles, [{ id: roleId, name: "Lead desk", ...stamps }]),
    insertAll(roleRights, [{ role_id: roleId, right_name: "agency" }]),
    ...cutSlices(made).flatMap((slice) => [
      insertAll(teams, slice),
      insertWords("teams_search", slice.map(({ id, name }) => [id, searchTokens(scope, [name])])),
    ]),
    ...cutSlices(people).flatMap((slice): Statement[] => [
      insertAll(users, slice),
      insertAll(teamMembers, slice.map((user) => ({ user_id: user.id, team_id: user.active_team_id! }))),
      insertWords(
        "users_search",
        slice.map((user) => [user.id, searchTokens(scope, [user.first_name, user.last_name, user.email])]),
      ),
    ]),
    insertAll(
      userRoles,
      people.slice(1).filter(makeTeamTest(made[0]!)).map(({ id }) => ({ user_id: id, role_id: roleId })),
    ),
  ]);
  return {
    companyId,
    adminId: people[0]!.id,
    signIns,
    agencyTeamId: made[0]!.id,
    dealers: made.slice(1).map((team, index) => ({
      teamId: team.id,
      timezone: team.timezone,
      pool: pools[(index + 1) % pools.length]!,
      userIds: people.filter(makeTeamTest(team)).map(({ id }) => id),
    })).filter(({ userIds }) => userIds.length > 0),
  };
}

function makeCompanyRow(
  id: number,
  { code, locale, timezone }: Pool,
  at: string,
): typeof companies.$inferInsert {
  return {
    id,
    name: id === 1 ? "Meridian Motors" : `Meridian Motors ${id}`,
    country: code,
    timezone,
    locale,
    language: "en",
    currency: "EUR",
    created_at: at,
    updated_at: at,
  };
}

function makeTeamTest(team: Team): (user: User) => boolean {
  return (user) => user.active_team_id === team.id;
}

/** Returns the last id of a table. */
async function readLastIds(db: Database): Promise<(table: string) => number> {
  const [found] = await db.read([sql`select name, seq from sqlite_sequence`]);
  const given = new Map(found!.rows.map((row) => [row.name, Number(row.seq)]));
  return (table) => given.get(table) ?? 0;
}

function cutSlices<T>(rows: readonly T[], size = 1000): T[][] {
  return Array.from(
    { length: Math.ceil(rows.length / size) },
    (_, i) => rows.slice(i * size, (i + 1) * size),
  );
}
