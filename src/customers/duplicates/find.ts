/**
 * Finds contacts and accounts by what may identify them. Indexes find each, so that a search costs the same in large
 * companies, unless very many share a name or a number.
 */
import { e164, makePhoneKeys } from "../../core/phone_numbers.ts";
import { foldText, searchTokens } from "../../core/text.ts";
import { composeCaseFold } from "../../db/case_fold.ts";
import type { Context } from "../../db/context.ts";
import { makeTeamScope, type Scope, testScope } from "../../db/scope.ts";
import { identifier, joinSql, literal, type Sql, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { composeDisplayName } from "../accounts/display_name.ts";
import { composeContactName } from "../contacts/present.ts";
import { selectPhoneKeys } from "../phone_keys.ts";
import type { reasons } from "./schema.ts";

/** What a customer is known by. */
export interface Known {
  readonly email?: string | null | undefined;
  readonly phone_number?: string | null | undefined;
  /** Names of people, first name first, and of accounts. */
  readonly names: readonly string[];
  /** Ids of contacts and accounts that are no finds. */
  readonly exclude: readonly string[];
}

type Reason = (typeof reasons)[number];

/** How much each reason says: an address is mostly one person's, a number a household's. */
const weights: Readonly<Record<Reason, number>> = { email: 4, phone_number: 2, name: 1 };
/** Finds of an answer. */
export const most = 10;
/** Rows that each index is asked for. */
export const mostRead = 100;

/** Returns the finds that the caller sees, the best first. */
export async function findDuplicates(ctx: Context, known: Known) {
  const scope = makeTeamScope(ctx.caller);
  const tests = makeTests(ctx, known);
  const names = tokenizeNames(ctx, known.names);
  const statements = [
    ...(tests.length > 0 ? [selectContactsBy(scope, tests, known.exclude)] : []),
    ...(names.length > 0 ? [selectAccountsBy(ctx, scope, names, known.exclude)] : []),
  ];
  const how = { effort: "few", company: ctx.caller.companyId } as const;
  // Many that the caller does not see can share a common name: an index has all of them.
  const results = statements.length > 0 ? await ctx.deps.db.readOnThread(statements, how) : [];
  const finds = results.flatMap(({ rows }) => rows).map((row) => ({ row, reasons: listReasons(row) }));
  return { data: finds.toSorted(compareWorth).slice(0, most).map(present) };
}

/** A reason, the rows that an index has for it, and whether a contact `c` has it. */
interface Test {
  readonly reason: Reason;
  readonly holds: Sql;
  /** SQL, to follow `from`: the alias `c` with conditions. */
  readonly rows: readonly Sql[];
}

function makeTests(ctx: Context, known: Known): Test[] {
  const company = sql`c.company_id = ${ctx.caller.companyId}`;
  const where = (condition: Sql) => sql`contacts c where ${company} and ${condition}`;
  const tests: Test[] = [];
  const email = known.email?.replaceAll(/\s+/g, "");
  if (email) {
    const holds = sql`${composeCaseFold("c", "email")} = ${foldText(email)}`;
    tests.push({ reason: "email", holds, rows: [where(holds)] });
  }
  const number = known.phone_number?.trim();
  if (number) {
    const each = composeNumberTests(ctx, number);
    tests.push({
      reason: "phone_number",
      holds: sql`(${joinSql(each.map((one) => sql`(${one})`), " or ")})`,
      rows: each.map(where),
    });
  }
  const names = tokenizeNames(ctx, known.names);
  if (names.length > 0) {
    tests.push({
      reason: "name",
      holds: hasName(ctx, "c", names),
      rows: names.map((words) =>
        sql`${selectNamed(ctx, "contacts_search", words)} cross join contacts c on c.seq = named.rowid
        where ${hasName(ctx, "c", [words])}`
      ),
    });
  }
  return tests;
}

/** SQL: the ways in which the number of a contact `c` can be the same one. An index has the rows of each. */
export function composeNumberTests(ctx: Context, number: string): Sql[] {
  const whole = e164(number, ctx.fields.country);
  const keys = selectPhoneKeys(makePhoneKeys(number), ctx.caller.companyId);
  // A number that was stored without its country can be the same as well.
  const national = sql`c.phone_key in (${keys})${whole === null ? sql`` : sql` and c.e164 is null`}`;
  return whole === null ? [national] : [sql`c.e164 = ${whole}`, national];
}

/** Returns the words of each name, as rows keep them: without case and accents, with the mark of the company. */
export function tokenizeNames({ caller: { companyId } }: Context, names: readonly string[]): string[] {
  const words = names.map((name) => searchTokens(`c${companyId}z`, [name]));
  return [...new Set(words.filter((each) => each !== ""))];
}

/** What precedes each word of the company's rows but the first. */
function writeMark({ caller: { companyId } }: Context): string {
  return ` c${companyId}z`;
}

/** SQL: whether a row of the alias has one of the names, with these blanks or others. */
function hasName(ctx: Context, alias: "a" | "c", names: readonly string[]): Sql {
  const joined = names.map((words) => joinWords(ctx, words));
  return sql`replace(${identifier(alias, "name_words")}, ${writeMark(ctx)}, '') in (select value
    from json_each(${JSON.stringify(joined)}))`;
}

/** Returns the words of a name without the blanks between them, with the mark of the company. */
function joinWords(ctx: Context, words: string): string {
  return words.replaceAll(writeMark(ctx), "");
}

/** The longest name, without its blanks, that is found among names with other blanks. */
const longestJoined = 80;

/** The most rows that are read for other blanks in a name: the index has words of e-mails and addresses, too. */
const mostOtherBlanks = 2_000;

/** SQL of a table `named`: the `rowid` of each row that may have the name, with these blanks or others. */
function selectNamed(ctx: Context, index: "accounts_search" | "contacts_search", words: string): Sql {
  const table = identifier(index);
  const select = (query: string) => sql`select rowid from ${table} where ${table} match ${query}`;
  const other = matchOtherBlanks(ctx, words);
  if (other === null) return sql`(${select(composeWordQuery(words))}) named`;
  return sql`(${select(composeWordQuery(words))}
    union select rowid from (${select(other)} limit ${literal(mostOtherBlanks)})) named`;
}

/**
 * The query of a full-text index for rows that may have the name with other blanks: the first word of a row begins the
 * name without blanks, and the last one ends it. Null for a long name.
 */
function matchOtherBlanks(ctx: Context, words: string): string | null {
  const scope = writeMark(ctx).trim();
  const letters = [...joinWords(ctx, words).slice(scope.length)];
  if (letters.length > longestJoined) return null;
  const parts = (part: (at: number) => readonly string[]) =>
    letters.map((_, at) => `"${scope}${part(at).join("")}"`).join(" OR ");
  return `(${parts((at) => letters.slice(0, at + 1))}) AND (${parts((at) => letters.slice(at))})`;
}

/** The query of a full-text index for rows with all the words. */
export function composeWordQuery(words: string): string {
  return words.split(" ").map((word) => `"${word}"`).join(" AND ");
}

function selectContactsBy(scope: Scope, tests: readonly Test[], exclude: readonly string[]): Statement {
  const seen = sql`${testScope(scope, "c")} and c.id not in (select value
    from json_each(${JSON.stringify(exclude)}))`;
  const found = tests.flatMap(({ rows }) => rows).map((rows) =>
    sql`select seq from (select c.seq from ${rows} and ${seen} limit ${literal(mostRead)})`
  );
  const reasons = tests.map(({ reason, holds }) => sql`${literal(reason)}, ${holds}`);
  return sql`select c.id, c.first_name, c.last_name, c.email, c.phone_number, c.last_activity_at,
    a.id as account_id, ${composeDisplayName("a")} as account_name, json_object(${joinSql(reasons, ", ")})
    as reasons from contacts c
    join accounts a on a.id = c.account_id where c.seq in (${joinSql(found, " union ")})`;
}

/** Accounts with their own name. Those of consumers without one are found by their contact. */
function selectAccountsBy(
  ctx: Context,
  scope: Scope,
  names: readonly string[],
  exclude: readonly string[],
): Statement {
  const found = names.map((words) =>
    sql`select seq from (select a.seq from ${selectNamed(ctx, "accounts_search", words)}
      cross join accounts a on a.seq = named.rowid
      where ${hasName(ctx, "a", [words])} and a.name is not null
      and ${testScope(scope, "a")} and a.id not in (select value
      from json_each(${JSON.stringify(exclude)})) limit ${literal(mostRead)})`
  );
  return sql`select null as id, a.id as account_id, ${composeDisplayName("a")} as account_name,
    a.last_activity_at,
    '{"name":1}' as reasons from accounts a where a.seq in (${joinSql(found, " union ")})`;
}

function listReasons({ reasons: text }: Row): Reason[] {
  const held = JSON.parse(text as string) as Partial<Record<Reason, number | null>>;
  return (Object.keys(weights) as Reason[]).filter((reason) => held[reason] === 1);
}

interface Find {
  readonly row: Row;
  readonly reasons: readonly Reason[];
}

/** What says most comes first; then contacts, and those with the latest activity. */
function compareWorth(one: Find, two: Find): number {
  const worth = ({ reasons }: Find) => reasons.reduce((sum, reason) => sum + weights[reason], 0);
  const key = ({ row }: Find) =>
    `${row.id === null ? 0 : 1} ${row.last_activity_at} ${row.id ?? row.account_id}`;
  return worth(two) - worth(one) || (key(one) < key(two) ? 1 : -1);
}

function present({ row, reasons }: Find) {
  const { id, first_name, last_name, email, phone_number, account_id, account_name } = row as Readonly<
    Record<string, string | null>
  >;
  return {
    contact: id === null ? null : {
      id: id!,
      name: composeContactName({ first_name: first_name!, last_name: last_name! }),
      email: email!,
      phone_number: phone_number!,
    },
    account: { id: account_id!, name: account_name! },
    reasons,
  };
}
