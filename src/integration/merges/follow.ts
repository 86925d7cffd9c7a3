/** Records that follow when accounts and contacts are merged, or are again two. */
import { displayName } from "../../customers/accounts/display_name.ts";
import { type ContactFacts, readContactRow } from "../../customers/contacts/present.ts";
import { selectContactsAmong } from "../../customers/contacts/queries.ts";
import { changeContact } from "../../customers/contacts/write.ts";
import type { FieldAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { guardVersions, type Sql, sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { isNotRemoved, readFullCases, selectCasesAmong } from "../../sales/cases/queries.ts";
import type { CaseAccount, CaseContact, FullCase } from "../../sales/cases/parts.ts";
import { changeCase } from "../../sales/cases/write.ts";
import { leadColumns, type LeadRecord, type LeadTransition, readLeadRow } from "../../sales/leads/parts.ts";
import {
  casesOfLeadsCount,
  changeCasesOfLeads,
  presentSummary,
  selectCasesOfLeads,
} from "../../sales/leads/shown_in_cases.ts";
import { changeLead, makeLeadEvents } from "../../sales/leads/write.ts";
import { noteColumns, noteJoins, readNoteRow } from "../../sales/notes/queries.ts";
import type { NoteFacts } from "../../sales/notes/record.ts";
import { draftNoteEvent } from "../../sales/notes/write.ts";

/** Selects of the ids of the records whose columns change. */
export interface Followers {
  readonly contacts: Sql;
  readonly notes: Sql;
  readonly leads: Sql;
  readonly cases: Sql;
}

/** Returns the new ids of the columns of a row that change. */
export type NewIds = (table: string, id: string | number, row: object) => Readonly<Record<string, string>>;

/** Customers as they are afterwards, by id. */
export interface FollowedCustomers {
  readonly accounts: ReadonlyMap<string, CaseAccount>;
  readonly contacts: ReadonlyMap<string, CaseContact>;
}

/** A value that has changed. */
export interface ChangedValue {
  readonly table_name: string;
  readonly row_id: string;
  readonly column_name: string;
  readonly before: string | null;
  readonly after: string;
}

export interface Followed {
  /** They run before the customers change. */
  readonly guards: readonly Statement[];
  /** They run after it. */
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
  readonly values: readonly ChangedValue[];
  readonly customers: FollowedCustomers;
}

/** The number of statements of `selectFollowing`. */
export const followerCount = 7 + casesOfLeadsCount;

export function selectFollowing({ contacts, notes, leads, cases }: Followers): Statement[] {
  const which = sql`cs.id not in (${cases})`;
  return [
    selectContactsAmong(contacts),
    sql`select ${noteColumns} from notes note ${noteJoins}
      where note.id in (${notes}) or note.contact_id in (${contacts}) order by note.id`,
    sql`select ${leadColumns} from leads where leads.id in (${leads}) order by leads.id`,
    sql`select id, lead_id from lead_transitions where lead_id in (${leads}) order by lead_id, id`,
    ...selectCasesAmong(sql`select id from (${cases}) where ${isNotRemoved(sql`id`)}`),
    ...selectCasesOfLeads({ leads, which }),
  ];
}

/** Changes the records that the reads found. */
export function follow(
  author: FieldAuthor,
  results: readonly Result[],
  newIds: NewIds,
  customers: FollowedCustomers,
): Followed {
  const [contactsFound, notesFound, leadsFound, transitionsFound, ...rest] = results;
  const values: ChangedValue[] = [];
  const recordNewIds: NewIds = (table, id, row) => {
    const ids = newIds(table, id, row);
    for (const [column_name, after] of Object.entries(ids)) {
      const before = (row as Readonly<Record<string, string | null>>)[column_name] ?? null;
      values.push({ table_name: table, row_id: String(id), column_name, before, after });
    }
    return ids;
  };
  const moved = contactsFound!.rows.map(readContactRow).map((contact) =>
    moveContact(
      author,
      contact,
      customers.accounts.get(recordNewIds("contacts", contact.id, contact).account_id!)!,
    )
  );
  const shown: FollowedCustomers = {
    accounts: customers.accounts,
    contacts: new Map([...customers.contacts, ...moved.map(({ contact }) => [contact.id, contact] as const)]),
  };
  const notes = followingNotes(notesFound!.rows.map(readNoteRow), recordNewIds, shown);
  const leads = followingLeads(author, leadsFound!.rows, transitionsFound!.rows, recordNewIds, shown);
  const leadsAfter = new Map(leads.map(({ lead }) => [lead.row.id, lead]));
  const cases = readFullCases(rest.slice(0, 3)).map((of) =>
    moveCase(author, of, recordNewIds, shown, leadsAfter)
  );
  const showing = changeCasesOfLeads(author, [...leadsAfter.values()], rest.slice(3), (of) => ({
    account: shown.accounts.get(of.account.id) ?? of.account,
    contact: contactAfter(of.contact, shown),
  }));
  return {
    guards: [guardVersions("notes", notesFound!.rows.map(readNoteRow))],
    statements: [
      ...moved.flatMap(({ statements }) => statements),
      ...notes.statements,
      ...leads.flatMap(({ statements }) => statements),
      ...[...cases, ...showing].flatMap(({ statements }) => statements),
    ],
    events: [
      ...moved.map(({ event }) => event),
      ...notes.events,
      ...leads.flatMap(({ lead }) => makeLeadEvents(author, "lead_updated", lead)),
      ...[...cases, ...showing].map(({ event }) => event),
    ],
    values,
    customers: shown,
  };
}

function moveContact(author: FieldAuthor, before: ContactFacts, account: CaseAccount) {
  const { contact, statements, event } = changeContact(author, before, {}, {
    account_id: account.id,
    account_name: account.name,
    team_id: account.team_id,
    b2c: account.b2c,
  });
  return { contact: { ...contact, contact_team: account.account_team }, statements, event };
}

/** The notes of contacts that move follow by a trigger; those of a contact that goes get another one. */
function followingNotes(
  notes: readonly (NoteFacts & { id: number })[],
  idsOf: NewIds,
  shown: FollowedCustomers,
) {
  const after = notes.map((note) => {
    const ids = note.contact_id === null ? {} : idsOf("notes", note.id, note);
    const contact_id = ids.contact_id ?? note.contact_id;
    const contact = contact_id === null ? undefined : shown.contacts.get(contact_id);
    const account_id = contact ? contact.account_id : note.account_id;
    const team_id = contact && note.case_id === null ? contact.team_id : note.team_id;
    return { isDirect: ids.contact_id !== undefined, note: { ...note, contact_id, account_id, team_id } };
  });
  const direct = after.filter(({ isDirect }) => isDirect)
    .map(({ note }) => [note.id, note.contact_id, note.account_id, note.team_id]);
  return {
    statements: direct.length === 0 ? [] : [
      sql`update notes set contact_id = v.value ->> 1, account_id = v.value ->> 2, team_id = v.value ->> 3,
        version = version + 1 from json_each(${JSON.stringify(direct)}) v where notes.id = v.value ->> 0`,
    ],
    events: after.map(({ note }) => draftNoteEvent("note_updated", note)),
  };
}

function followingLeads(
  author: FieldAuthor,
  rows: readonly Row[],
  transitions: readonly Row[],
  idsOf: NewIds,
  shown: FollowedCustomers,
) {
  const transitionIds = Map.groupBy(transitions, ({ lead_id }) => lead_id);
  return rows.map(readLeadRow).map((before) => {
    const set = idsOf("leads", before.row.id, before.row);
    const changed = before.transitions.map((each, place) => {
      const id = Number(transitionIds.get(before.row.id)![place]!.id);
      return { id, ids: idsOf("lead_transitions", id, each), each };
    });
    const { lead, statements } = changeLead(author, before, set, partiesAfter(before, set, shown));
    const updates = changed.filter(({ ids }) => Object.keys(ids).length > 0).map(({ id, ids, each }) =>
      sql`update lead_transitions set account_id = ${ids.account_id ?? each.account_id},
        contact_id = ${ids.contact_id ?? each.contact_id} where id = ${id}`
    );
    const after = changed.map(({ ids, each }): LeadTransition => ({ ...each, ...ids }));
    return { lead: { ...lead, transitions: after }, statements: [...statements, ...updates] };
  });
}

/** The customers that the lead shows, by the ids that it names afterwards. */
function partiesAfter(
  before: LeadRecord,
  set: Readonly<Record<string, string>>,
  shown: FollowedCustomers,
): Partial<LeadRecord> {
  const parties: Record<string, unknown> = {};
  for (const part of ["account", "original_account"] as const) {
    const id = set[`${part}_id`] ?? before.row[`${part}_id`];
    const account = id === null ? undefined : shown.accounts.get(id);
    if (account) parties[part] = account;
  }
  for (const part of ["contact", "original_contact"] as const) {
    const id = set[`${part}_id`] ?? before.row[`${part}_id`];
    const contact = id === null ? undefined : shown.contacts.get(id);
    if (contact) parties[part] = contact;
    else if (before[part]) parties[part] = contactAfter(before[part], shown);
  }
  return parties as Partial<LeadRecord>;
}

function moveCase(
  author: FieldAuthor,
  before: FullCase,
  idsOf: NewIds,
  shown: FollowedCustomers,
  leads: ReadonlyMap<string, LeadRecord>,
) {
  const ids = idsOf("cases", before.id, before);
  const account = shown.accounts.get(ids.account_id ?? before.account_id) ?? before.account;
  const contact = shown.contacts.get(ids.contact_id ?? before.contact_id) ??
    contactAfter(before.contact, shown);
  const lead = before.lead && leads.get(before.lead.id);
  return changeCase(author, before, ids, {
    account,
    account_name: displayName(account),
    contact,
    first_name: contact.first_name,
    last_name: contact.last_name,
    ...(lead ? { lead: presentSummary(lead) } : {}),
  });
}

/** The contact with the changed name of its account. */
function contactAfter<C extends ContactFacts>(contact: C, { accounts, contacts }: FollowedCustomers): C {
  const known = contacts.get(contact.id);
  if (known) return { ...contact, ...known };
  const account = accounts.get(contact.account_id);
  return account ? { ...contact, account_name: account.name, team_id: account.team_id } : contact;
}
