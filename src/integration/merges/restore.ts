/** The merged records after the undo: those that went, and the fields of those that stayed. */
import { notFound } from "../../core/errors.ts";
import { type CustomValue, type CustomValues, isChoice } from "../../fields/custom_fields.ts";
import { fixedFields } from "../../fields/fixed_fields.ts";
import { isNotBeingDeleted } from "../../customers/accounts/being_deleted.ts";
import {
  accountColumns,
  type AccountFacts,
  accountJoins,
  readAccountRow,
} from "../../customers/accounts/present.ts";
import { changeAccount, restoreAccount } from "../../customers/accounts/write.ts";
import { composeContactName, type ContactFacts, readContactRow } from "../../customers/contacts/present.ts";
import { selectContactsAmong } from "../../customers/contacts/queries.ts";
import { changeContact, restoreContact } from "../../customers/contacts/write.ts";
import type { Context } from "../../db/context.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { literal, sql } from "../../db/statements.ts";
import { selectTeamJson, type TeamFacts } from "../../identity/teams/queries.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { CaseAccount, CaseContact } from "../../sales/cases/parts.ts";
import type { FollowedCustomers } from "./follow.ts";
import { mapTeams } from "./pair.ts";
import type { ChangedField, Kept } from "./kept.ts";
import type { KeptField } from "./schema.ts";
import type { MergedType } from "./table.ts";

/** The number of statements of `restoreReads`. */
export const restoreCount = 4;

/** The reads of `bringBack` and `customersNow` for the merge of an id, which nobody has read yet. */
export function restoreReads(companyId: number, id: string): Statement[] {
  const kept = sql`(select m.kept from merges m where m.id = ${id} and m.company_id = ${companyId})`;
  const some = sql`select value from json_each(${kept}, '$.subjects')
    union select value from json_each(${kept}, '$.homes')`;
  const ofGone = (path: string, column: string) =>
    sql`select value ->> ${literal(column)} from json_each(${kept}, ${literal(path)})`;
  const teamsOfGone = ofGone("$.accounts", "team_id");
  return [
    sql`select ${accountColumns} from accounts account ${accountJoins} where account.id in (${some})
      and ${isNotBeingDeleted(sql`account.id`)}`,
    selectContactsAmong(some),
    sql`select ${selectTeamJson(sql`t.id`)} as team from teams t where t.id in (${teamsOfGone}
      union select a.team_id from accounts a where a.id in (${some}))`,
    sql`select 'account' as type, id, external_id from accounts where company_id = ${companyId}
      and external_id in (${ofGone("$.accounts", "external_id")})
      union all select 'contact', id, external_id from contacts where company_id = ${companyId}
      and external_id in (${ofGone("$.contacts", "external_id")})`,
  ];
}

interface BroughtBack {
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
  readonly customers: FollowedCustomers;
  readonly kept: readonly KeptField[];
}

/** Returns the customers after the undo. Fields that somebody has changed since stay as they are. */
export function bringBack(
  ctx: Context,
  before: Kept,
  [accountsFound, contactsFound, teamsFound, holders]: readonly Result[],
): BroughtBack {
  const statements: Statement[] = [];
  const created: EventDraft[] = [];
  const updated: EventDraft[] = [];
  const kept: KeptField[] = [];
  const teams = mapTeams(teamsFound!.rows);
  const accounts = new Map(accountsFound!.rows.map(readAccountRow).map((account) => [account.id, account]));
  const contacts = new Map(contactsFound!.rows.map(readContactRow).map((contact) => [contact.id, contact]));
  const freed = new Set<string>();

  const contactsAfter = new Map<string, ContactFacts>();
  for (const of of listStayingIds("contact", before)) {
    const now = contacts.get(of);
    const fields = before.changed.filter(({ type, id }) => type === "contact" && id === of);
    if (!now) {
      kept.push({ entity_type: "contact", entity_id: of, field: null, reason: "deleted" });
      continue;
    }
    const back = restoreUnchanged(ctx, "contact", now, fields, kept);
    const write = changeContact(
      ctx,
      now,
      back.fixed,
      back.own as Partial<ContactFacts>,
      undefined,
      back.custom,
    );
    if ("external_id" in back.own) freed.add(`contact ${of}`);
    contactsAfter.set(of, write.contact);
    statements.push(...write.statements);
    updated.push(write.event);
  }
  const accountsAfter = new Map<string, AccountFacts>();
  for (const of of listStayingIds("account", before)) {
    const now = accounts.get(of);
    if (!now) throw notFound();
    const fields = before.changed.filter(({ type, id }) => type === "account" && id === of);
    const back = restoreUnchanged(ctx, "account", now, fields, kept);
    const person = [...contactsAfter.values()].find(({ account_id }) => account_id === of);
    const contact_name = now.b2c === 1 ? person ? composeContactName(person) : now.contact_name : null;
    const write = changeAccount(
      ctx,
      now,
      back.fixed,
      { ...back.own as Partial<AccountFacts>, contact_name },
      back.custom,
    );
    if ("external_id" in back.own) freed.add(`account ${of}`);
    accountsAfter.set(of, write.account);
    statements.push(...write.statements);
    updated.unshift(write.event);
  }
  const external = (
    type: MergedType,
    { id, external_id }: { readonly id: string; readonly external_id: string | null },
  ) => {
    const holder = holders!.rows.find((row) => row.type === type && row.external_id === external_id);
    if (!holder || freed.has(`${type} ${holder.id}`)) return external_id;
    kept.push({ entity_type: type, entity_id: id, field: "external_id", reason: "taken" });
    return null;
  };
  for (const gone of before.accounts) {
    const isTeamGone = gone.team_id !== null && !teams.has(gone.team_id);
    if (isTeamGone) {
      kept.push({ entity_type: "account", entity_id: gone.id, field: "team_id", reason: "deleted" });
    }
    const stayed = [...accountsAfter.values()][0]!;
    const person = before.contacts[0];
    const { account, statements: own, event } = restoreAccount(ctx, {
      ...gone,
      team_id: isTeamGone ? stayed.team_id : gone.team_id,
      external_id: external("account", gone),
      custom: presentValues(ctx, "account", gone.custom),
      contact_name: gone.b2c === 1 && person ? composeContactName(person) : gone.contact_name,
    });
    accountsAfter.set(account.id, account);
    statements.push(...own);
    created.push(event);
  }
  for (const gone of before.contacts) {
    const home = accountsAfter.get(gone.account_id) ?? accounts.get(gone.account_id) ??
      accounts.get(before.homes[0]!);
    if (!home) throw notFound();
    if (home.id !== gone.account_id) {
      kept.push({ entity_type: "contact", entity_id: gone.id, field: "account_id", reason: "deleted" });
    }
    const { contact, statements: own, event } = restoreContact(ctx, {
      ...gone,
      account_id: home.id,
      account_name: home.name,
      team_id: home.team_id,
      b2c: home.b2c,
      external_id: external("contact", gone),
      custom: presentValues(ctx, "contact", gone.custom),
    });
    contactsAfter.set(contact.id, contact);
    statements.push(...own);
    created.push(event);
  }
  return {
    statements,
    events: [...created, ...updated],
    customers: gatherCustomers([...accountsAfter.values()], [...contactsAfter.values()], teams),
    kept,
  };
}

/** Returns the customers once they are there again, as they are stored. */
export function customersNow([accountsFound, contactsFound, teamsFound]: readonly Result[]) {
  const accounts = accountsFound!.rows.map(readAccountRow);
  const contacts = contactsFound!.rows.map(readContactRow);
  return { accounts, contacts, customers: gatherCustomers(accounts, contacts, mapTeams(teamsFound!.rows)) };
}

function gatherCustomers(
  accounts: readonly AccountFacts[],
  contacts: readonly ContactFacts[],
  teams: ReadonlyMap<number, TeamFacts>,
): FollowedCustomers {
  const getTeam = (id: number | null): TeamFacts | null => id === null ? null : teams.get(id) ?? null;
  return {
    accounts: new Map(accounts.map((account): [string, CaseAccount] => [
      account.id,
      { ...account, account_team: getTeam(account.team_id) },
    ])),
    contacts: new Map(contacts.map((contact): [string, CaseContact] => [
      contact.id,
      { ...contact, contact_team: getTeam(contact.team_id) },
    ])),
  };
}

/** The ids of the records of a kind that stayed: every second of the subjects. */
function listStayingIds(type: MergedType, { subjects, accounts, contacts }: Kept): string[] {
  const gone = new Map<string, MergedType>([
    ...accounts.map(({ id }) => [id, "account"] as const),
    ...contacts.map(({ id }) => [id, "contact"] as const),
  ]);
  return subjects.flatMap((id, place) => {
    const from = subjects[place - 1];
    return place % 2 === 1 && from !== undefined && gone.get(from) === type ? [id] : [];
  });
}

interface Back {
  readonly fixed: Readonly<Record<string, string | null>>;
  readonly own: Readonly<Record<string, unknown>>;
  readonly custom: CustomValues | null;
}

/** Returns the earlier values of the fields that nobody has changed since; adds the others to `kept`. */
function restoreUnchanged(
  ctx: Context,
  type: MergedType,
  now: AccountFacts | ContactFacts,
  fields: readonly ChangedField[],
  kept: KeptField[],
): Back {
  const row: Readonly<Record<string, unknown>> = { ...now };
  const stored = JSON.parse(now.custom) as Record<string, CustomValue>;
  const fixed: Record<string, string | null> = {};
  const own: Record<string, unknown> = {};
  let isCustom = false;
  for (const { column, before, after } of fields) {
    const isOfCustom = column.startsWith("custom.");
    const id = column.slice("custom.".length);
    const current = isOfCustom ? stored[id] : row[column];
    if (JSON.stringify(current ?? null) !== JSON.stringify(after)) {
      const field = nameField(ctx, type, column);
      if (field) kept.push({ entity_type: type, entity_id: now.id, field, reason: "changed" });
    } else if (isOfCustom) {
      isCustom = true;
      if (before === null) delete stored[id];
      else stored[id] = before as CustomValue;
    } else if (fixedFields[type].some(({ name }) => name === column)) fixed[column] = before as string | null;
    else own[column] = before;
  }
  const custom = isCustom
    ? JSON.parse(presentValues(ctx, type, JSON.stringify(stored))) as CustomValues
    : null;
  return { fixed, own, custom };
}

/** Returns the name of a field as merges write it; null for columns that belong to another one. */
function nameField(ctx: Context, type: MergedType, column: string): string | null {
  if (column.endsWith("_at") || column === "user_name") return null;
  if (column.startsWith("consent_")) return column.replace("_", ".");
  if (!column.startsWith("custom.")) return column;
  const field = ctx.fields.seen[type].custom.find(({ id }) => `custom.${id}` === column);
  return field ? `custom.${field.name}` : null;
}

/** Returns the values of fields and options that still exist, as the JSON of a record. */
function presentValues(ctx: Context, type: MergedType, custom: string): string {
  const values = JSON.parse(custom) as CustomValues;
  const present = ctx.fields.all[type].custom.flatMap((field): [string, CustomValue][] => {
    const value = values[field.id];
    if (value === undefined) return [];
    if (!isChoice(field.type)) return [[field.id, value]];
    const isKnown = (id: unknown) => field.options.some((option) => option.id === id);
    if (Array.isArray(value)) {
      const left = value.filter(isKnown) as string[];
      return left.length > 0 || value.length === 0 ? [[field.id, left]] : [];
    }
    return isKnown(value) ? [[field.id, value]] : [];
  });
  return JSON.stringify(Object.fromEntries(present));
}
