/** Merges two accounts or contacts into one. */
import { ok } from "../../core/answer.ts";
import { type FieldError, invalid } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { type AccountFacts, presentAccount } from "../../customers/accounts/present.ts";
import {
  accountEvent,
  type AccountWrite,
  changedAccount,
  removedAccount,
} from "../../customers/accounts/write.ts";
import {
  asContact,
  type ContactFacts,
  contactName,
  presentContact,
} from "../../customers/contacts/present.ts";
import {
  changedContact,
  checkNamed,
  contactEvent,
  type ContactWrite,
  removedContacts,
} from "../../customers/contacts/write.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { guardVersions, insert, sql } from "../../db/statements.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import { activityAgain } from "../../sales/cases/last_activity.ts";
import { countAttached, moveAttached } from "./attached.ts";
import { type Customers, follow, followerCount, followerReads } from "./follow.ts";
import { followersOf, type Going, noLeadNames, pairIds, renaming } from "./moved_columns.ts";
import { type Pair, pairCount, pairOf, pairReads } from "./pair.ts";
import { changedFields, keepValues, type Kept, type Renamed, rerootMerges } from "./record.ts";
import type { MergeBody, Moved } from "./schema.ts";
import { type MergedType, merges } from "./table.ts";
import { joinedColumns, type Take, takenFields } from "./take.ts";

/** Answers the account after the merge; a dry run changes nothing. */
export function mergeAccounts(ctx: Context, id: string, body: MergeBody) {
  return mergeInto(
    ctx,
    "account",
    id,
    body,
    ({ account }) => presentAccount(account!.account, ctx.fields.seen),
  );
}

/** Answers the contact after the merge; a dry run changes nothing. */
export function mergeContacts(ctx: Context, id: string, body: MergeBody) {
  return mergeInto(
    ctx,
    "contact",
    id,
    body,
    ({ contact }) => presentContact(contact!.contact, ctx.fields.seen),
  );
}

async function mergeInto<T>(
  ctx: Context,
  type: MergedType,
  id: string,
  body: MergeBody,
  present: (after: Merged) => T,
) {
  const ids = pairIds(type, ctx.caller.companyId, id, body.from_id);
  const going: Going = { account_id: ids.account.from, contact_id: ids.contact.from };
  const followers = followersOf(going);
  const all = await ctx.deps.db.read([
    ...pairReads(ctx, ids),
    ...followerReads(followers),
    sql`select (select count(*) from tasks where case_id in (${followers.cases})) as tasks,
      (select count(*) from correspondences where case_id in (${followers.cases})) as correspondences`,
    countAttached(ids),
  ]);
  const pair = pairOf(ctx, type, body, all.slice(0, pairCount));
  const results = all.slice(pairCount);
  const renamed = renamedOf(pair);
  const counted = { ...results[followerCount]!.rows[0], ...results[followerCount + 1]!.rows[0] };
  const after = merged(ctx, type, pair, body.take ?? {}, results[0]!.rows.map(asContact));
  const followed = follow(
    ctx,
    results.slice(0, followerCount),
    renaming(new Map(renamed.map(({ from, into }) => [from, into]))),
    after.customers,
  );
  const among = (table: string) =>
    new Set(followed.values.filter(({ table_name }) => table_name === table).map(({ row_id }) => row_id))
      .size;
  const moved: Moved = {
    contacts: among("contacts"),
    cases: among("cases"),
    leads: results[2]!.rows.length,
    notes: results[1]!.rows.length,
    files: Number(counted.files),
    tasks: Number(counted.tasks),
    correspondences: Number(counted.correspondences),
    campaign_messages: Number(counted.campaign_messages),
  };
  const record = present(after);
  if (body.dry_run) return ok({ merge_id: null, record, moved });

  const merge_id = newId(ctx.now);
  const teamId = after.account?.account.team_id ?? after.contact?.contact.team_id ?? null;
  const of = type === "account" ? pair.accounts! : pair.contacts!;
  const kept: Kept = {
    accounts: pair.accounts ? [pair.accounts.other] : [],
    contacts: pair.contacts ? [pair.contacts.other] : [],
    changed: [
      ...(pair.accounts ? changedFields("account", pair.accounts.of, after.account!.account) : []),
      ...(pair.contacts ? changedFields("contact", pair.contacts.of, after.contact!.contact) : []),
    ],
    subjects: renamed.flatMap(({ from, into }) => [from, into]),
    homes: pair.contacts ? [pair.contacts.of.account_id, pair.contacts.other.account_id] : [],
  };
  const { companyId } = ctx.caller;
  return await commit(ctx, {
    statements: [
      ...(pair.accounts ? [guardVersions("accounts", [pair.accounts.other])] : []),
      ...followed.guards,
      // The ids that other systems use are unique.
      ...renamed.map(freeExternalId),
      ...after.account?.statements ?? [],
      ...after.contact?.statements ?? [],
      ...followed.statements,
      insert(merges, {
        id: merge_id,
        company_id: companyId,
        entity_type: type,
        entity_id: of.of.id,
        from_id: of.other.id,
        root_id: of.of.id,
        team_id: teamId,
        moved: JSON.stringify(moved),
        kept: JSON.stringify(kept),
        user_id: ctx.caller.userId,
        created_at: ctx.at,
      }),
      ...keepValues(merge_id, followed.values),
      ...renamed.flatMap((each) => [
        ...moveAttached(merge_id, companyId, each),
        ...rerootMerges(merge_id, each, teamId),
      ]),
      guardThat("leads", noLeadNames(going)),
      ...(pair.contacts ? removedContacts(ctx, [pair.contacts.other]) : []),
      ...(pair.accounts ? removedAccount(ctx, pair.accounts.other.id) : []),
      ...activityAgain({
        accounts: pair.accounts ? [pair.accounts.of.id] : [],
        contacts: pair.contacts ? [pair.contacts.of.id] : [],
      }),
    ],
    events: [
      ...(after.account ? [after.account.event] : []),
      ...(after.contact ? [after.contact.event] : []),
      ...followed.events,
      ...goneEvents(ctx, pair),
    ],
    answer: ok({ merge_id, record, moved }),
  });
}

function renamedOf({ accounts, contacts }: Pair): Renamed[] {
  return [
    ...(accounts ? [{ type: "account", from: accounts.other.id, into: accounts.of.id } as const] : []),
    ...(contacts ? [{ type: "contact", from: contacts.other.id, into: contacts.of.id } as const] : []),
  ];
}

function freeExternalId({ type, from }: Renamed): Statement {
  return type === "account"
    ? sql`update accounts set external_id = null where id = ${from} and external_id is not null`
    : sql`update contacts set external_id = null where id = ${from} and external_id is not null`;
}

interface Merged {
  readonly account: AccountWrite | null;
  readonly contact: ContactWrite | null;
  readonly customers: Customers;
}

/** The records that stay, after the merge. `moving`: the contacts of the account that goes. */
function merged(
  ctx: Context,
  type: MergedType,
  pair: Pair,
  take: Take,
  moving: readonly ContactFacts[],
): Merged {
  const takeOf = (kind: MergedType) => kind === type ? take : {};
  const errors: FieldError[] = [];
  const contactFields = pair.contacts &&
    takenFields("contact", ctx.fields, pair.contacts.of, pair.contacts.other, takeOf("contact"));
  const names = pair.contacts && { ...pair.contacts.of, ...contactFields!.fixed };
  let account: AccountWrite | null = null;
  if (pair.accounts) {
    const { of, other } = pair.accounts;
    const { fixed, own, custom } = takenFields("account", ctx.fields, of, other, takeOf("account"));
    const person = names ?? moving[0];
    const contact_name = of.b2c === 0 ? null : person ? contactName(person) : of.contact_name;
    account = changedAccount(ctx, of, fixed, { ...own as Partial<AccountFacts>, contact_name }, custom);
  }
  let contact: ContactWrite | null = null;
  if (pair.contacts) {
    const { of, other } = pair.contacts;
    const { fixed, own, custom } = contactFields!;
    checkNamed({ ...of, ...fixed }, "", errors);
    if (errors.length > 0) throw invalid(...errors);
    const home = account && { account_name: account.account.name, team_id: account.account.team_id };
    contact = changedContact(
      ctx,
      of,
      fixed,
      { ...own, ...joinedColumns(of, other), ...home },
      undefined,
      custom,
    );
  }
  const teamOf = (id: number | null) => id === null ? null : pair.teams.get(id) ?? null;
  const accountAfter = account && { ...account.account, account_team: teamOf(account.account.team_id) };
  const contactAfter = contact && { ...contact.contact, contact_team: teamOf(contact.contact.team_id) };
  return {
    account,
    contact,
    customers: {
      accounts: new Map(accountAfter ? [[accountAfter.id, accountAfter]] : []),
      contacts: new Map(contactAfter ? [[contactAfter.id, contactAfter]] : []),
    },
  };
}

/** The events of the records that go. */
function goneEvents(ctx: Context, { accounts, contacts }: Pair): EventDraft[] {
  const into = (event: EventDraft, merged_into: string): EventDraft => ({
    ...event,
    body: { ...event.body as object, merged_into },
  });
  return [
    ...(contacts ? [into(contactEvent("contact_deleted", contacts.other, ctx.fields), contacts.of.id)] : []),
    ...(accounts ? [into(accountEvent("account_deleted", accounts.other, ctx.fields), accounts.of.id)] : []),
  ];
}
