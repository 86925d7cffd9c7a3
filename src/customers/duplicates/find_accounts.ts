/**
 * Finds accounts that may be the same: by name, website, and the e-mail addresses and phone numbers of their
 * contacts. Each reason has an index: those of names, numbers and addresses, and the words of the search.
 */
import { invalid, missingReference } from "../../core/errors.ts";
import { foldText, splitWords } from "../../core/text.ts";
import { composeCaseFold } from "../../db/case_fold.ts";
import type { Context } from "../../db/context.ts";
import { makeTeamScope, type Scope, testScope } from "../../db/scope.ts";
import { joinSql, literal, type Sql, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { isNotBeingDeleted } from "../accounts/being_deleted.ts";
import { composeDisplayName, displayName } from "../accounts/display_name.ts";
import { readVisibleAccount, selectAccountById } from "../accounts/queries.ts";
import { composeEmailDomain, composeWebsiteDomain, extractCompanyDomain, extractDomain } from "./domains.ts";
import { composeNumberTests, composeWordQuery, most, mostRead, tokenizeNames } from "./find.ts";
import { addLegalForms, stripLegalForm } from "./legal_forms.ts";
import { type AccountDuplicatesBody, accountReasons } from "./schema.ts";

type Reason = (typeof accountReasons)[number];

/** How much each reason says. */
const weights: Readonly<Record<Reason, number>> = { name: 4, website: 3, email: 2, phone_number: 2 };
/** Contacts of an account whose addresses and numbers are asked for. */
const mostContacts = 20;

/** What an account is known by. */
interface Known {
  readonly names: readonly string[];
  readonly websites: readonly string[];
  readonly emails: readonly string[];
  readonly numbers: readonly string[];
  readonly exclude: readonly string[];
}

/** Returns the finds that the caller sees, the best first. An account given by its id is no find. */
export async function findAccountDuplicates(ctx: Context, body: AccountDuplicatesBody) {
  const scope = makeTeamScope(ctx.caller);
  const statement = selectFinds(ctx, scope, await gatherKnown(ctx, body));
  const how = { effort: "few", company: ctx.caller.companyId } as const;
  // Many that the caller does not see can share a common name: an index has all of them.
  const [found] = statement ? await ctx.deps.db.readOnThread([statement], how) : [];
  const finds = (found?.rows ?? []).map((row) => ({ row, reasons: listReasons(row) }));
  return {
    data: finds.toSorted(compareWorth).slice(0, most).map(({ row, reasons }) => ({
      account: { id: row.id as string, name: row.name as string | null },
      reasons,
    })),
  };
}

async function gatherKnown(ctx: Context, body: AccountDuplicatesBody): Promise<Known> {
  const listGiven = (value: string | null | undefined) => (value ? [value] : []);
  const { account_id, name, website, email, phone_number, exclude_id } = body;
  const known = {
    names: listGiven(name),
    websites: listGiven(website),
    emails: listGiven(email),
    numbers: listGiven(phone_number),
    exclude: listGiven(exclude_id),
  };
  if (!account_id) return known;
  const [found, people] = await ctx.deps.db.read([
    selectAccountById(ctx.caller.companyId, account_id),
    sql`select email, phone_number from contacts where account_id = ${account_id}
      order by last_activity_at desc, id limit ${literal(mostContacts)}`,
  ]);
  const account = readVisibleAccount(ctx, found!);
  if (!account) throw invalid(missingReference("account_id", "account"));
  const ofPeople = (column: string) => people!.rows.flatMap((row) => listGiven(row[column] as string | null));
  return {
    names: [...known.names, ...listGiven(displayName(account))],
    websites: [...known.websites, ...listGiven(account.website)],
    emails: [...known.emails, ...ofPeople("email")],
    numbers: [...known.numbers, ...ofPeople("phone_number")],
    exclude: [...known.exclude, account_id],
  };
}

/** Selects accounts with their reasons; null when nothing is known. */
function selectFinds(ctx: Context, scope: Scope, known: Known): Statement | null {
  const seen = sql`${testScope(scope, "a")} and a.id not in (select value
    from json_each(${JSON.stringify(known.exclude)}))`;
  const found = [...findByNames(ctx, known), ...findByWebsites(ctx, known), ...findByPeople(ctx, known)];
  if (found.length === 0) return null;
  const rows = found.map(({ reason, rows }) =>
    sql`select seq, reason from (select distinct a.seq, ${literal(reason)} as reason from ${rows} and ${seen}
      limit ${literal(mostRead)})`
  );
  return sql`select a.id, ${composeDisplayName("a")} as name, a.last_activity_at, found.reasons
    from (select seq, json_group_array(reason) as reasons from (${joinSql(rows, " union ")})
    group by seq) found
    join accounts a on a.seq = found.seq where ${isNotBeingDeleted(sql`a.id`)}`;
}

/** A reason, and SQL to follow `from`: the alias `a` with conditions. */
interface Found {
  readonly reason: Reason;
  readonly rows: Sql;
}

function findByNames(ctx: Context, { names }: Known): Found[] {
  const bare = names.map((name) => stripLegalForm(splitWords(name).join(" "))).filter((name) => name !== "");
  return [...new Set(bare)].flatMap((name) => {
    const [asked] = tokenizeNames(ctx, [name]);
    const same = JSON.stringify(tokenizeNames(ctx, addLegalForms(name)));
    const rows = sql`accounts_search cross join accounts a on a.seq = accounts_search.rowid
      where accounts_search match ${composeWordQuery(asked!)}
      and a.name_words in (select value from json_each(${same}))`;
    return [{ reason: "name", rows }];
  });
}

function findByWebsites(ctx: Context, { websites }: Known): Found[] {
  return dropRepeated(websites.map(extractDomain)).flatMap((domain) => {
    const rows = sql`accounts_search cross join accounts a on a.seq = accounts_search.rowid
      where accounts_search match ${composeWordQuery(pickTellingWords(ctx, domain))}
      and ${composeWebsiteDomain()} = ${domain}`;
    return [{ reason: "website", rows }];
  });
}

/** By the contacts: a domain, or the whole address at a public provider, and phone numbers. */
function findByPeople(ctx: Context, { emails, numbers }: Known): Found[] {
  const company = ctx.caller.companyId;
  const domains = dropRepeated(emails.map(extractCompanyDomain)).map((domain): Found => ({
    reason: "email",
    rows: sql`contacts_search cross join contacts c on c.seq = contacts_search.rowid
      cross join accounts a on a.id = c.account_id
      where contacts_search match ${composeWordQuery(pickTellingWords(ctx, domain))}
      and ${composeEmailDomain()} = ${domain}`,
  }));
  const whole = emails.filter((email) => extractCompanyDomain(email) === null)
    .map((email) => foldText(email.replaceAll(/\s+/g, "")));
  const conditions: Found[] = [
    ...dropRepeated(whole).map((email): Found => ({
      reason: "email",
      rows: sql`${composeCaseFold("c", "email")} = ${email}`,
    })),
    ...dropRepeated(numbers).flatMap((number) => composeNumberTests(ctx, number))
      .map((rows): Found => ({ reason: "phone_number", rows })),
  ];
  return [
    ...domains,
    ...conditions.map(({ reason, rows }) => ({
      reason,
      rows: sql`contacts c cross join accounts a on a.id = c.account_id
        where c.company_id = ${company} and ${rows}`,
    })),
  ];
}

/** Returns the words of a domain that few others share: those before the last dot. */
function pickTellingWords(ctx: Context, domain: string): string {
  const [all = "", telling = ""] = [domain, domain.slice(0, Math.max(0, domain.lastIndexOf(".")))]
    .map((text) => tokenizeNames(ctx, [text])[0] ?? "");
  return telling || all || "none";
}

function dropRepeated(texts: readonly (string | null)[]): string[] {
  return [...new Set(texts.filter((text) => text !== null && text !== ""))] as string[];
}

function listReasons({ reasons }: Row): Reason[] {
  const held: ReadonlySet<string> = new Set(JSON.parse(reasons as string) as string[]);
  return accountReasons.filter((reason) => held.has(reason));
}

interface Find {
  readonly row: Row;
  readonly reasons: readonly Reason[];
}

/** What says most comes first; then the latest activity. */
function compareWorth(one: Find, two: Find): number {
  const worth = ({ reasons }: Find) => reasons.reduce((sum, reason) => sum + weights[reason], 0);
  const key = ({ row }: Find) => `${row.last_activity_at} ${row.id}`;
  return worth(two) - worth(one) || (key(one) < key(two) ? 1 : -1);
}
