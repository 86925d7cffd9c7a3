/** Merges two accounts or contacts into one: in one commit or, if too much moves, as staged work. */
import { ok } from "../../core/answer.ts";
import { makeId } from "../../core/ids.ts";
import { presentAccount } from "../../customers/accounts/present.ts";
import { presentContact, readContactRow } from "../../customers/contacts/present.ts";
import { guardNotMerging } from "../../customers/not_merging.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions, insert, insertAll } from "../../db/statements.ts";
import { runStaged } from "../../staged/run.ts";
import { beginWork } from "../../staged/work.ts";
import { type Merged, mergeRecords } from "./merged_records.ts";
import { countAttached } from "./attached_records.ts";
import { finish, listRenamed } from "./finish.ts";
import { follow, followerCount, selectFollowing } from "./follow.ts";
import {
  countFollowers,
  type Going,
  isLarge,
  limitFollowers,
  pairIds,
  renaming,
  selectFollowers,
} from "./moved_columns.ts";
import { type Pair, pairCount, requirePair, selectPair } from "./pair.ts";
import { type Kept, listChangedFields } from "./kept.ts";
import { type MergeBody, type Moved, movedKinds } from "./schema.ts";
import { mergeWork } from "./staged.ts";
import { type MergedType, mergeLocks, merges } from "./table.ts";

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
  const { companyId: company_id } = ctx.caller;
  const ids = pairIds(type, company_id, id, body.from_id);
  const going: Going = { account_id: ids.account.from, contact_id: ids.contact.from };
  const followers = selectFollowers(going);
  const all = await ctx.deps.db.read([
    ...selectPair(company_id, ids),
    ...selectFollowing(limitFollowers(followers)),
    countFollowers(followers),
    countAttached(ids),
  ]);
  const pair = requirePair(ctx, type, body, all.slice(0, pairCount));
  const found = all.slice(pairCount, pairCount + followerCount);
  const after = mergeRecords(ctx, type, pair, body.take ?? {}, found[0]!.rows.map(readContactRow));
  const counted = Object.assign({}, ...all.slice(pairCount + followerCount).map(({ rows }) => rows[0]));
  const moved = Object.fromEntries(movedKinds.map((kind) => [kind, Number(counted[kind])])) as Moved;
  const record = present(after);
  if (body.dry_run) return ok({ merge_id: null, record, moved });

  const merge_id = makeId(ctx.now);
  const subjects = listRenamed(pair).flatMap(({ from, into }) => [from, into]);
  const of = type === "account" ? pair.accounts! : pair.contacts!;
  const row = insert(merges, {
    id: merge_id,
    company_id,
    entity_type: type,
    entity_id: of.of.id,
    from_id: of.other.id,
    root_id: of.of.id,
    team_id: of.of.team_id,
    moved: JSON.stringify(moved),
    kept: JSON.stringify(gatherKept(pair, after, subjects)),
    user_id: ctx.caller.userId,
    created_at: ctx.at,
  });
  const answer = ok({ merge_id, record, moved });
  if (!isLarge(found)) {
    const renames = new Map(listRenamed(pair).map(({ from, into }) => [from, into]));
    const followed = follow(ctx, found, renaming(renames), after.customers);
    const change = finish(ctx, { merge_id, company_id, pair, going, after, followed, first: [row] });
    return await commit(ctx, { ...change, answer });
  }
  const payload = { type, id, from_id: body.from_id, take: body.take ?? {} };
  const begun = await commit(ctx, {
    statements: [
      guardVersions("accounts", pair.accounts ? [pair.accounts.of, pair.accounts.other] : []),
      guardVersions("contacts", pair.contacts ? [pair.contacts.of, pair.contacts.other] : []),
      guardNotMerging(...subjects),
      row,
      insertAll(mergeLocks, subjects.map((record_id) => ({ record_id, merge_id }))),
      beginWork(ctx, mergeWork, { company_id, subject: merge_id, payload }),
    ],
    answer,
  });
  const running = runStaged(ctx.deps, ctx.now, [mergeWork], merge_id);
  ctx.deps.background.run(() => running);
  // A job goes on with what is left; the answer is the same.
  await running.catch(() => undefined);
  return begun;
}

/** What the undo needs, beside the values that other rows had. */
function gatherKept({ accounts, contacts }: Pair, after: Merged, subjects: readonly string[]): Kept {
  return {
    accounts: accounts ? [accounts.other] : [],
    contacts: contacts ? [contacts.other] : [],
    changed: [
      ...(accounts ? listChangedFields("account", accounts.of, after.account!.account) : []),
      ...(contacts ? listChangedFields("contact", contacts.of, after.contact!.contact) : []),
    ],
    subjects,
    homes: contacts ? [contacts.of.account_id, contacts.other.account_id] : [],
  };
}
