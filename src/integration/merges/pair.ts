/** The two records of a merge, with those that merge along with them. */
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { type AccountFacts, asAccount, presentAccount } from "../../customers/accounts/present.ts";
import { accountById, accountOf, visibleAccount } from "../../customers/accounts/queries.ts";
import { asContact, type ContactFacts, presentContact } from "../../customers/contacts/present.ts";
import { contactById, contactOf, contactsAmong, visibleContact } from "../../customers/contacts/queries.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { parseTeam, type TeamFacts, teamJson } from "../../identity/teams/queries.ts";
import { checkTake } from "./take.ts";
import type { MergeBody } from "./schema.ts";
import type { MergedType } from "./table.ts";

export interface Two<F> {
  /** The record that stays. */
  readonly of: F;
  /** The record that goes. */
  readonly other: F;
}

export interface Pair {
  /** Null: contacts of organisations, whose accounts stay. */
  readonly accounts: Two<AccountFacts> | null;
  /** Null: accounts without contacts that merge. */
  readonly contacts: Two<ContactFacts> | null;
  /** The teams of the accounts by id. */
  readonly teams: ReadonlyMap<number, TeamFacts>;
}

/** Throws 404, 412 and 422. Of consumers, account and contact merge together. */
export async function readPair(ctx: Context, type: MergedType, id: string, body: MergeBody): Promise<Pair> {
  return type === "account" ? await readAccounts(ctx, id, body) : await readContacts(ctx, id, body);
}

async function readAccounts(ctx: Context, id: string, body: MergeBody): Promise<Pair> {
  const company = ctx.caller.companyId;
  const ids = sql`select ${id} as id union all select ${body.from_id}`;
  const [own, theirs, contacts, teams] = await ctx.deps.db.read([
    accountById(company, id),
    accountById(company, body.from_id),
    contactsAmong(sql`select c.id from contacts c where c.account_id in (${ids}) and c.b2c = 1`),
    teamsOf(ids),
  ]);
  const of = accountOf(ctx, own!);
  checkMatch(ctx, () => presentAccount(of, ctx.fields.seen));
  const other = checked(ctx, "account", of, visibleAccount(ctx, theirs!), body);
  const people = contacts!.rows.map(asContact);
  const [mine, their] = [of, other].map((account) =>
    people.find(({ account_id }) => account_id === account.id)
  );
  return {
    accounts: { of, other },
    contacts: mine && their ? { of: mine, other: their } : null,
    teams: teamsById(teams!.rows),
  };
}

async function readContacts(ctx: Context, id: string, body: MergeBody): Promise<Pair> {
  const company = ctx.caller.companyId;
  const home = (of: string) => sql`(select c.account_id from contacts c where c.id = ${of})`;
  const ids = sql`select ${home(id)} as id union all select ${home(body.from_id)}`;
  const [own, theirs, mine, their, teams] = await ctx.deps.db.read([
    contactById(company, id),
    contactById(company, body.from_id),
    accountById(company, home(id)),
    accountById(company, home(body.from_id)),
    teamsOf(ids),
  ]);
  const of = contactOf(ctx, own!);
  checkMatch(ctx, () => presentContact(of, ctx.fields.seen));
  const other = checked(ctx, "contact", of, visibleContact(ctx, theirs!), body);
  const accounts = of.b2c === 1 ? { of: asAccount(mine!.rows[0]!), other: asAccount(their!.rows[0]!) } : null;
  return { accounts, contacts: { of, other }, teams: teamsById(teams!.rows) };
}

function checked<F extends AccountFacts | ContactFacts>(
  ctx: Context,
  type: MergedType,
  of: F,
  other: F | null,
  { from_id, take }: MergeBody,
): F {
  const errors: FieldError[] = [];
  if (from_id === of.id) {
    errors.push(fieldError("from_id", "excluded", `The ${type} cannot be merged with itself.`));
  } else if (!other) errors.push(missingReference("from_id", type));
  else if (other.b2c !== of.b2c) {
    errors.push(fieldError("from_id", "type", "Consumers and organisations cannot be merged."));
  }
  checkTake(type, take ?? {}, ctx.fields, errors);
  if (errors.length > 0) throw invalid(...errors);
  return other!;
}

function teamsOf(accounts: Sql) {
  return sql`select ${
    teamJson(sql`a.team_id`)
  } as team from accounts a where a.id in (select id from (${accounts}))
    and a.team_id is not null`;
}

export function teamsById(rows: readonly { readonly team?: unknown }[]): Map<number, TeamFacts> {
  const teams = rows.flatMap(({ team }) => team ? [parseTeam(team)] : []);
  return new Map(teams.map((team) => [Number(team.id), team]));
}
