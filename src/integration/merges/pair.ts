/** The two records of a merge, with those that merge along with them. */
import { type FieldError, fieldError, invalid, missingReference, notFound } from "../../core/errors.ts";
import { type AccountFacts, presentAccount, readAccountRow } from "../../customers/accounts/present.ts";
import { readVisibleAccount, requireAccount, selectAccountById } from "../../customers/accounts/queries.ts";
import { type ContactFacts, presentContact, readContactRow } from "../../customers/contacts/present.ts";
import { readVisibleContact, requireContact, selectContactsAmong } from "../../customers/contacts/queries.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { parseTeam, selectTeamJson, type TeamFacts } from "../../identity/teams/queries.ts";
import type { Result, Statement, Value } from "../../platform/database/database.ts";
import type { PairIds } from "./moved_columns.ts";
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

/** The number of statements of `selectPair`. */
export const pairCount = 6;

/** The reads of `requirePair`. */
export function selectPair(companyId: number, ids: PairIds): Statement[] {
  const { account, contact } = ids;
  const accounts = sql`select ${account.into} as id union all select ${account.from}`;
  const contacts = sql`select ${contact.into} as id union all select ${contact.from}`;
  return [
    selectAccountById(companyId, account.into),
    selectAccountById(companyId, account.from),
    selectContactsAmong(contacts),
    sql`select ${selectTeamJson(sql`a.team_id`)} as team from accounts a where a.id in (select id
      from (${accounts}))
      and a.team_id is not null`,
    sql`select ${account.into} as account_id, ${contact.into} as contact_id`,
    sql`select ${account.from} as account_id, ${contact.from} as contact_id`,
  ];
}

/** Throws 404, 412 and 422. Of consumers, account and contact merge together. */
export function requirePair(
  ctx: Context,
  type: MergedType,
  body: MergeBody,
  [mine, theirs, people, teamsFound, ids, goingIds]: readonly Result[],
): Pair {
  const teams = mapTeams(teamsFound!.rows);
  const [into, from] = [ids!.rows[0]!, goingIds!.rows[0]!];
  const person = (id: Value | undefined) => ({
    rows: people!.rows.filter((row) => row.id === id),
    changes: 0,
  });
  if (type === "account") {
    const of = requireAccount(ctx, mine!);
    checkMatch(ctx, () => presentAccount(of, ctx.fields.seen));
    const other = requireOther(ctx, "account", of, readVisibleAccount(ctx, theirs!), body);
    const [own, their] = [into, from].map(({ contact_id }) => person(contact_id).rows[0]);
    const contacts = own && their ? { of: readContactRow(own), other: readContactRow(their) } : null;
    return { accounts: { of, other }, contacts, teams };
  }
  const of = requireContact(ctx, person(into.contact_id));
  if (!mine!.rows[0]) throw notFound();
  checkMatch(ctx, () => presentContact(of, ctx.fields.seen));
  const isThere = of.b2c === 0 || theirs!.rows[0] !== undefined;
  const found = isThere ? readVisibleContact(ctx, person(from.contact_id)) : null;
  const other = requireOther(ctx, "contact", of, found, body);
  const accounts = of.b2c === 1
    ? { of: readAccountRow(mine!.rows[0]), other: readAccountRow(theirs!.rows[0]!) }
    : null;
  return { accounts, contacts: { of, other }, teams };
}

/** Returns the two without any check; null when one of them is gone. */
export function readStoredPair(
  type: MergedType,
  [mine, theirs, people, teamsFound, ids, goingIds]: readonly Result[],
): Pair | null {
  const teams = mapTeams(teamsFound!.rows);
  const person = (id: Value | undefined) =>
    people!.rows.filter((row) => row.id === id).map(readContactRow)[0];
  const two = <F>(of: F | undefined, other: F | undefined) => of && other ? { of, other } : null;
  const [of, other] = [mine!.rows.map(readAccountRow)[0], theirs!.rows.map(readAccountRow)[0]];
  const contacts = two(person(ids!.rows[0]!.contact_id), person(goingIds!.rows[0]!.contact_id));
  if (type === "account") {
    const accounts = two(of, other);
    return accounts && { accounts, contacts, teams };
  }
  return contacts && { accounts: contacts.of.b2c === 1 ? two(of, other) : null, contacts, teams };
}

function requireOther<F extends AccountFacts | ContactFacts>(
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

export function mapTeams(rows: readonly { readonly team?: unknown }[]): Map<number, TeamFacts> {
  const teams = rows.flatMap(({ team }) => team ? [parseTeam(team)] : []);
  return new Map(teams.map((team) => [Number(team.id), team]));
}
