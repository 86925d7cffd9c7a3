/** A step of a revert: the newest changes of an import, each deleted or put back as by a single call. */
import {
  accountColumns,
  type AccountFacts,
  accountJoins,
  readAccountRow,
} from "../../customers/accounts/present.ts";
import { isNotBeingDeleted } from "../../customers/accounts/being_deleted.ts";
import { changeAccount, draftAccountEvent, removeAccount } from "../../customers/accounts/write.ts";
import { endMove, takeDirection } from "../../customers/contacts/direction.ts";
import type { ContactMoveEffects, Move } from "../../customers/contacts/on_moved.ts";
import { changeContactName } from "../../customers/contacts/display_name.ts";
import { composeContactName, type ContactFacts, readContactRow } from "../../customers/contacts/present.ts";
import { selectContactsAmong } from "../../customers/contacts/queries.ts";
import { changeContact, draftContactEvent, removeContacts } from "../../customers/contacts/write.ts";
import type { Dependents } from "../../customers/deletion/dependents.ts";
import { describeBlocked, presentImpact, selectImpact } from "../../customers/deletion/impact.ts";
import { selectAccount, selectContact } from "../../customers/deletion/selection.ts";
import { guardUnblocked } from "../../db/blockers.ts";
import type { CustomValue, CustomValues } from "../../fields/custom_fields.ts";
import type { UserAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { guardVersions, sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import type { Moment, Step } from "../../staged/kind.ts";
import type { StopFilters } from "../../customers/fields/stop_filters.ts";
import { type CustomerKind, hashOwnValues } from "./own_values.ts";
import { type Change, composeRevertedStep, type KeptChange, type KeptReason } from "./revert_progress.ts";
import { planDeletions } from "./revert_made.ts";
import type { Begun } from "./begin.ts";
import type { Progress } from "./rows_step.ts";
import { endImport } from "./turns.ts";

/** Changes of a step: each reads what hangs on its record. */
export const usualChanges = 25;

/** What a revert of customers, and of other records, does to others. */
export interface RevertEffects {
  readonly contactMoves: ContactMoveEffects;
  readonly customerDeletion: Dependents;
  readonly stopFilters: StopFilters;
}

export async function planRevert(
  moment: Moment,
  begun: Begun,
  progress: Progress,
  { customerDeletion: dependents, contactMoves: followers, stopFilters }: RevertEffects,
): Promise<Step> {
  const { row, author, guard } = begun;
  const { db } = moment;
  const most = progress.alone === undefined ? moment.share(usualChanges) : 1;
  const [found] = await db.read([
    sql`select seq, row, entity, record_id, before, after from import_changes where import_id = ${row.id}
      order by seq desc limit ${most}`,
  ]);
  const changes = found!.rows.map((each) => each as Row & Change);
  if (changes.length === 0) {
    return { statements: [guard, ...endImport(moment, row, "reverted")], events: [], more: false, author };
  }
  if (row.entity === "products" || row.entity === "leads") {
    return await planDeletions(moment, begun, progress, changes, stopFilters);
  }
  const ids = JSON.stringify(changes.map(({ record_id }) => record_id));
  const homes = JSON.stringify(
    changes.flatMap(({ entity, before }) =>
      entity === "contacts" && before !== null ? [readHome(before)] : []
    ),
  );
  const contacts = sql`select id from contacts where company_id = ${row.company_id}
    and id in (select value from json_each(${ids}))`;
  const [accountsFound, contactsFound, ...impacts] = await db.read([
    sql`select ${accountColumns} from accounts account ${accountJoins}
      where account.company_id = ${row.company_id}
      and account.id in (select value from json_each(${ids}) union select value from json_each(${homes})
      union select account_id from contacts where id in (${contacts}))
      and ${isNotBeingDeleted(sql`account.id`)}`,
    selectContactsAmong(contacts),
    ...changes.flatMap(({ entity, record_id }) =>
      selectImpact(author, selectCustomer(row.company_id, entity, record_id), dependents)
    ),
  ]);
  const reverting = new Reverting(author, row.company_id, dependents, accountsFound!, contactsFound!);
  const kept: KeptChange[] = [];
  const taken: Change[] = [];
  let [deleted, restored] = [0, 0];
  for (const [place, change] of changes.entries()) {
    const move = progress.refused ? null : reverting.planMove(change);
    // Other records move with a contact, so it is put back alone.
    if (move && place > 0) break;
    const moved = move && { ...move, results: await db.read([...followers.reads(move)]), followers };
    const found = impacts.slice(2 * place, 2 * place + 2);
    const outcome = progress.refused ? "in_use" : reverting.revert(change, found, moved);
    if (outcome === "ahead") {
      return {
        statements: [guard, ...reverting.statements],
        events: reverting.events,
        more: true,
        author,
        payload: JSON.stringify({ ...progress, ahead: crypto.randomUUID() }),
      };
    }
    taken.push(change);
    if (outcome) kept.push({ change, reason: outcome });
    else if (change.before === null) deleted++;
    else restored++;
    if (move) break;
  }
  return composeRevertedStep(begun, taken.at(-1)!, { deleted, restored, kept }, reverting);
}

function selectCustomer(companyId: number, entity: CustomerKind, id: string) {
  return entity === "accounts" ? selectAccount(companyId, id) : selectContact(companyId, id);
}

/** A move, and what moves with the contact. */
interface PlannedMove extends Move {
  readonly followers: ContactMoveEffects;
  readonly results: readonly Result[];
}

/** Returns the account that a contact had. */
function readHome(before: string): string {
  return (JSON.parse(before) as { readonly account_id: string }).account_id;
}

/** The records of a step, as the changes before have left them. */
class Reverting {
  readonly statements: Statement[] = [];
  readonly events: EventDraft[] = [];
  readonly #author: UserAuthor;
  readonly #companyId: number;
  readonly #dependents: Dependents;
  readonly #accounts: Map<string, AccountFacts>;
  readonly #contacts: Map<string, ContactFacts>;
  /** How many contacts of an account this step has deleted: the counts were read before. */
  readonly #gone = new Map<string, number>();

  constructor(
    author: UserAuthor,
    companyId: number,
    dependents: Dependents,
    accounts: Result,
    contacts: Result,
  ) {
    this.#author = author;
    this.#companyId = companyId;
    this.#dependents = dependents;
    this.#accounts = new Map(accounts.rows.map(readAccountRow).map((each) => [each.id, each]));
    this.#contacts = new Map(contacts.rows.map(readContactRow).map((each) => [each.id, each]));
  }

  /** Returns the move that puts a contact back into its account; null for other changes. */
  planMove({ entity, record_id, before, after }: Change): Move | null {
    const contact = entity === "contacts" && before !== null ? this.#contacts.get(record_id) : null;
    if (!contact || hashOwnValues("contacts", contact) !== after) return null;
    const account_id = readHome(before!);
    return account_id === contact.account_id
      ? null
      : { contact: sql`${contact.id}`, account_id, with_cases: false };
  }

  /** Reverts a change. Returns why the record stays, `ahead` when only other records have moved, or null. */
  revert(
    { entity, record_id, before, after }: Change,
    impact: readonly Result[],
    move: PlannedMove | null,
  ): KeptReason | "ahead" | null {
    const facts = entity === "accounts" ? this.#accounts.get(record_id) : this.#contacts.get(record_id);
    if (!facts) return "deleted";
    if (hashOwnValues(entity, facts) !== after) return "changed";
    if (before !== null) {
      if (entity === "accounts") this.#restoreAccount(facts as AccountFacts, JSON.parse(before));
      else return this.#restoreContact(facts as ContactFacts, JSON.parse(before), move);
      return null;
    }
    const { blocked_by, deletes } = presentImpact(impact);
    const isInUse = blocked_by.length > 0 ||
      deletes.some(({ type, amount }) =>
        amount > (type === "contact" && entity === "accounts" ? this.#gone.get(record_id) ?? 0 : 0)
      );
    if (isInUse) return "in_use";
    if (entity === "accounts") this.#deleteAccount(facts as AccountFacts);
    else this.#deleteContact(facts as ContactFacts);
    return null;
  }

  #deleteContact(contact: ContactFacts): void {
    const author = this.#author;
    const account = this.#accounts.get(contact.account_id);
    const shown = account && changeContactName(author, account, null);
    this.statements.push(
      ...(account ? [guardVersions("accounts", [account])] : []),
      ...this.#dependents.guards(selectContact(this.#companyId, contact.id)),
      ...removeContacts(author, [contact]),
      ...shown?.statements ?? [],
    );
    this.events.push(draftContactEvent("contact_deleted", contact, author.fields), ...shown?.events ?? []);
    this.#contacts.delete(contact.id);
    if (!shown) return;
    this.#accounts.set(shown.account.id, shown.account);
    this.#gone.set(shown.account.id, (this.#gone.get(shown.account.id) ?? 0) + 1);
  }

  #deleteAccount(account: AccountFacts): void {
    const author = this.#author;
    const selection = selectAccount(this.#companyId, account.id);
    this.statements.push(
      guardUnblocked(describeBlocked(selection)),
      guardVersions("accounts", [account]),
      ...this.#dependents.guards(selection),
      ...removeAccount(author, account.id),
    );
    this.events.push(draftAccountEvent("account_deleted", account, author.fields));
    this.#accounts.delete(account.id);
  }

  #restoreAccount(account: AccountFacts, before: Row): void {
    const { custom, user_name, b2c: _b2c, ...values } = before;
    const { team_id, user_id, external_id, ...fixed } = values as Record<string, never>;
    const changes = { team_id, user_id, external_id, user_name: user_name as string | null };
    const write = changeAccount(
      this.#author,
      account,
      fixed,
      changes,
      this.#present("account", String(custom)),
    );
    this.#accounts.set(account.id, write.account);
    this.statements.push(...write.statements);
    this.events.push(write.event);
  }

  #restoreContact(contact: ContactFacts, before: Row, move: PlannedMove | null): KeptReason | "ahead" | null {
    const author = this.#author;
    const { custom, ...values } = before;
    const fixedNames = ["salutation", "first_name", "last_name", "email", "phone_number", "title"];
    const isFixed = (name: string) => fixedNames.includes(name);
    const part = (isWanted: (name: string) => boolean) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name)));
    const from = this.#accounts.get(contact.account_id);
    const to = move ? this.#accounts.get(move.account_id) : from;
    if (!to || (move && to.b2c === 1 && to.contact_count > 0)) return "changed";
    const home = move && { account_id: to.id, account_name: to.name, team_id: to.team_id, b2c: to.b2c };
    const write = changeContact(
      author,
      contact,
      part(isFixed) as Record<string, string | null>,
      { ...part((name) => !isFixed(name) && name !== "account_id"), ...home },
      undefined,
      this.#present("contact", String(custom)),
    );
    const named = changeContactName(author, to, composeContactName(write.contact));
    const left = move && from ? [changeContactName(author, from, null)] : [];
    const followed = move?.followers.apply(author, move, {
      before: { contact, account: to },
      after: { contact: write.contact, account: named.account },
    }, move.results);
    if (followed?.ahead) {
      this.statements.push(...takeDirection(author.deps, contact.id, to.id), ...followed.ahead.statements);
      this.events.push(...followed.ahead.events);
      return "ahead";
    }
    this.#contacts.set(contact.id, write.contact);
    for (const { account } of [named, ...left]) this.#accounts.set(account.id, account);
    this.statements.push(
      guardVersions("accounts", [to]),
      ...followed?.guards ?? [],
      ...write.statements,
      ...[named, ...left].flatMap(({ statements }) => statements),
      ...followed?.statements ?? [],
      ...(followed ? [endMove(contact.id)] : []),
    );
    this.events.push(
      write.event,
      ...[named, ...left].flatMap(({ events }) => events),
      ...followed?.events ?? [],
    );
    return null;
  }

  /** The values of fields that still exist. */
  #present(owner: "account" | "contact", custom: string): CustomValues {
    const known = new Set(this.#author.fields.all[owner].custom.map(({ id }) => id));
    const values = Object.entries(JSON.parse(custom) as Record<string, CustomValue>);
    return Object.fromEntries(values.filter(([id]) => known.has(id)));
  }
}
