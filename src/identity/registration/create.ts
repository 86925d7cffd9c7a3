import { created } from "../../core/answer.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { userTypes } from "../../core/rights.ts";
import { type Author, commit } from "../../db/commit.ts";
import { readCompanyFields } from "../../fields/field_sets.ts";
import { sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { Look } from "../pictures/address.ts";
import { presentTeam } from "../teams/present.ts";
import type { TeamFacts } from "../teams/queries.ts";
import { teamMap } from "../teams/record.ts";
import { makeInitial } from "../../records/members.ts";
import { draftTeamCreated, insertTeam } from "../teams/write.ts";
import { presentUser } from "../users/present.ts";
import { selectUserByEmail } from "../users/queries.ts";
import { draftUserCreated, insertUser, makeUser } from "../users/write.ts";
import { defaults } from "../companies/defaults.ts";
import { standardPlan } from "../companies/plans.ts";
import { presentCompany } from "../companies/present.ts";
import type { CompanyFacts } from "../companies/queries.ts";
import { insertCompany } from "../companies/write.ts";
import type { CreateCompany } from "./schema.ts";

/** What a new company has besides its first user. */
export interface Start {
  /** The name of a dealer team, of which the first user is a member. */
  readonly team: string;
  /** Inserts more records of the company, made by its first user. */
  readonly statements: (author: Author, made: { companyId: number; userId: number }) => readonly Statement[];
}

/**
 * Creates a company and its first user, an admin. The answer contains their ids, so it reads the next free
 * ids before the commit. When another call takes one of them first, this function runs again.
 */
export async function createCompany(
  author: Author & Look,
  body: CreateCompany,
  start: Start | null = null,
) {
  // Hashes the password before it reads the ids: meanwhile, other calls could take the ids.
  const password_hash = await author.deps.passwords.hash(body.user.password, author.address?.());
  const [taken, next] = await author.deps.db.read([selectUserByEmail(body.user.email), nextIds]);
  if (taken!.rows.length > 0) {
    throw invalid(fieldError("user.email", "unique", "A user already has this e-mail address."));
  }
  const { company_id, user_id, team_id } = next!.rows[0] as Record<
    "company_id" | "user_id" | "team_id",
    number
  >;
  const company = makeCompany(author, body, company_id);
  const teams = start
    ? [makeDealerTeam(author, company, { id: team_id, name: start.team, created_by: user_id })]
    : [];
  const user = makeUser(body.user, {
    company_id,
    locale: company.locale,
    timezone: body.user.timezone?.name ?? company.timezone,
    id: user_id,
    user_type: userTypes.admin,
    active_team_id: teams[0]?.id ?? null,
    teams,
  }, author.at);
  const presented = presentUser(user, author);
  return await commit(author, {
    statements: [
      insertCompany(company),
      ...teams.flatMap(insertTeam),
      ...insertUser(user, { password_hash }),
      ...start?.statements(author, { companyId: company_id, userId: user_id }) ?? [],
    ],
    events: [
      ...teams.map((team) =>
        draftTeamCreated(team, presentTeam(team, author.now, readCompanyFields(null, null).all))
      ),
      draftUserCreated(user, presented),
    ],
    answer: created(presentCompany(company, author, { user: presented })),
    companyId: company_id,
  });
}

const nextIds =
  sql`select 1 + coalesce((select seq from sqlite_sequence where name = 'companies'), 0) as company_id,
  1 + coalesce((select seq from sqlite_sequence where name = 'users'), 0) as user_id,
  1 + coalesce((select seq from sqlite_sequence where name = 'teams'), 0) as team_id`;

function makeCompany(author: Author, body: CreateCompany, id: number): CompanyFacts {
  const { billing } = body;
  return {
    id,
    name: body.name,
    invoice_email: billing?.invoice_email ?? null,
    address_1: billing?.address_1 ?? null,
    address_2: billing?.address_2 ?? null,
    zip_code: billing?.zip_code ?? null,
    city: billing?.city ?? null,
    state: billing?.state ?? null,
    country: billing?.country ?? null,
    phone_number: body.phone_number ?? null,
    website: body.website ?? null,
    vat: body.vat ?? null,
    logo_1: null,
    logo_2: null,
    timezone: body.timezone?.name ?? defaults.timezone,
    locale: body.locale?.code ?? defaults.locale,
    language: body.language ?? defaults.language,
    currency: body.currency ?? defaults.currency,
    b2c_allow: 1,
    b2c_default: 0,
    theme: "default",
    product_mode: "advanced",
    default_account_id: null,
    teams_can_create_relations_paths: 0,
    groups_can_create_relations_paths: 0,
    use_social_lookup: 0,
    email_tracking: 0,
    support: 0,
    plan_id: standardPlan,
    created_at: author.at,
    updated_at: author.at,
    deleted_at: null,
    version: 1,
  };
}

function makeDealerTeam(
  { at }: Author,
  { id: company_id, timezone, locale }: CompanyFacts,
  team: Pick<TeamFacts, "id" | "name" | "created_by">,
): TeamFacts {
  return {
    company_id,
    ...makeInitial(teamMap, { name: team.name, team_type: "dealer" }),
    timezone,
    locale,
    custom: "{}",
    created_at: at,
    updated_at: at,
    group: null,
    ...team,
  };
}
