/** A step of an import: some rows of its file, each decided on as a single call, in one commit. */
import type { ContactMoveEffects } from "../../customers/contacts/on_moved.ts";
import type { Fields } from "../../fields/field_sets.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { makeTeamScope } from "../../db/scope.ts";
import { insertAll, sql } from "../../db/statements.ts";
import { isGuard, type Statement } from "../../platform/database/database.ts";
import type { Moment, Step } from "../../staged/kind.ts";
import { describeColumns, findColumn } from "../columns/catalogue.ts";
import type { Encoding } from "../reading/encoding.ts";
import type { Begun } from "./begin.ts";
import { Categories, makeCategories, type MissingCategory, selectNamedCategories } from "./categories.ts";
import { checkConsent, readRefusals, readRefusers } from "./consents.ts";
import { Customers, selectCustomers } from "./customers.ts";
import { decideAccount } from "./decide_account.ts";
import { decideContact, type MoveReads, MovesContact } from "./decide_contact.ts";
import { decideLead, LeadFacts, selectLeadReferences } from "./decide_lead.ts";
import { decideProduct } from "./decide_product.ts";
import type { Deciding, Outcome, RecordChange } from "./decisions.ts";
import { followEarlier, readNamed, Remembered } from "./dry_records.ts";
import { type Draft, makeDraft, type MappedColumn, type RowFault } from "./drafts.ts";
import { readRowsFrom } from "./file_rows.ts";
import type { Layout } from "./inspect.ts";
import { type FailureCode, importChanges, importErrors, type ImportRow } from "./table.ts";

/** Rows of a step: few enough that it holds the write lock for well under 100 ms. */
export const usualRows = 50;
/** Rows that are shown of a dry run. */
const mostShown = 20;
/** Characters of a preview. */
const longestPreview = 512 * 1024;

/** The progress of the work, beside what the row of the import has. */
export interface Progress {
  /** Differs from step to step, so that a step which another run has made is not made again. */
  readonly place?: number;
  /** Rows before this one are taken one by one, since a step with several has failed. */
  readonly alone?: number;
  /** Why the next row fails: its commit was refused. */
  readonly refused?: { readonly code: string; readonly message: string };
}

/** Returns the columns that set a field; null when a field is gone. */
function mapColumns({ entity, reading }: ImportRow, seen: Fields): MappedColumn[] | null {
  const { columns, mapping } = JSON.parse(reading) as Layout;
  const known = describeColumns(entity, seen);
  const mapped: MappedColumn[] = [];
  for (const [place, { name, date_format }] of columns.entries()) {
    const field = mapping[name];
    if (!field) continue;
    const column = findColumn(known, field);
    if (!column) return null;
    mapped.push({ place, name, column, order: date_format });
  }
  return mapped;
}

/** Plans the next rows of a run or a dry run. */
export async function planRows(
  moment: Moment,
  begun: Begun,
  progress: Progress,
  followers: ContactMoveEffects,
): Promise<Step | FailureCode> {
  const { row, author } = begun;
  const { deps, db } = moment;
  const isDry = row.status === "checking";
  const mapped = mapColumns(row, author.fields.seen);
  if (!mapped) return "field_deleted";
  const isAlone = progress.refused !== undefined || (progress.alone ?? 0) > row.place;
  const most = isAlone ? 1 : moment.share(usualRows);
  const rows = await readRowsFrom(
    deps.storage,
    {
      id: row.id,
      object_key: row.object_key!,
      reading: { format: row.format, encoding: row.encoding as Encoding, delimiter: row.delimiter ?? "," },
    },
    row.place,
    most,
  );
  const writing = {
    isCsv: row.format === "csv",
    decimal: row.decimal === "," ? "," as const : "." as const,
    timeZone: begun.timeZone,
    language: begun.language,
  };
  const drafts = rows.map((each) => makeDraft(each, mapped, writing));
  const { country } = author.fields;
  const [accountsFound, contactsFound, named, refusers, ...others] = await db.read([
    ...selectCustomers(row, drafts, country, makeTeamScope(author.caller)),
    isDry ? readNamed(row, drafts, country) : sql`select null as key where 0`,
    isDry ? readRefusers(row, drafts, country) : sql`select null as id where 0`,
    ...(row.entity === "leads" ? selectLeadReferences(author, row, drafts) : []),
    ...(row.entity === "products" ? selectNamedCategories(row, drafts) : []),
  ]);
  const leadFacts = row.entity === "leads" ? new LeadFacts(author, others) : null;
  if (leadFacts?.isWithoutTeam(row)) return "team_deleted";
  const categories = new Categories(
    row.company_id,
    moment.at,
    row.entity === "products" ? others[0] : undefined,
  );
  const missing: MissingCategory[] = [];
  const customers = new Customers(author.caller, [accountsFound!, contactsFound!]);
  if (isDry) {
    customers.addContacts(refusers!);
    await followEarlier(moment, row, country, customers, named!);
  }
  const refusals = await readRefusals(moment, row, author, drafts, customers);
  const deciding: Deciding = {
    author,
    row,
    customers,
    placing: begun.placing,
    followers,
    isDry,
  };
  const remembered = new Remembered();
  const outcomes: Outcome[] = [];
  const taken: Draft[] = [];
  for (const draft of drafts) {
    if (progress.refused) {
      draft.faults.push({ column: null, path: null, value: null, ...progress.refused });
    }
    // The next step reads what this one has left there.
    if (refusals.isUnsure(draft)) break;
    checkConsent(draft, row, refusals.isRefused);
    let outcome: Outcome & { readonly isAhead?: boolean };
    let isMove = false;
    try {
      if (row.entity === "products") {
        const decided = decideProduct(deciding, draft, categories);
        missing.push(...decided.missing);
        outcome = decided;
      } else if (leadFacts) outcome = decideLead(deciding, draft, leadFacts);
      else if (row.entity === "accounts") outcome = decideAccount(deciding, draft);
      else outcome = decideContact(deciding, draft);
    } catch (error) {
      if (!(error instanceof MovesContact)) throw error;
      // Other records move with the contact, as the rows before have left them. A row with faults moves nothing.
      if (outcomes.length > 0 && !isDry && draft.faults.length === 0) break;
      outcome = decideContact(deciding, draft, await readMove(moment, followers, error));
      isMove = !isDry && outcome.action !== "fail";
    }
    if (outcome.isAhead && !isDry) {
      return {
        statements: [begun.guard, ...outcome.statements],
        events: outcome.events,
        more: true,
        author,
        payload: JSON.stringify({ ...progress, ahead: crypto.randomUUID() }),
      };
    }
    taken.push(draft);
    outcomes.push(outcome);
    const refusedSince = outcome.contact ? refusals.note(draft, outcome.contact) : [];
    remembered.addKeys(refusedSince);
    if (isDry && (outcome.action === "create" || outcome.action === "update")) {
      remembered.addOutcome(draft, outcome, row, country);
    }
    if (isMove) break;
  }
  // Products show the ids of their categories, so these are made in a commit before.
  if (missing.length > 0 && !isDry) {
    return {
      statements: [begun.guard, ...makeCategories(row, missing, moment.at)],
      events: [],
      more: true,
      author,
      payload: JSON.stringify({ ...progress, ahead: crypto.randomUUID() }),
    };
  }
  const place = row.place + taken.length;
  const isLast = taken.length === drafts.length && drafts.length < most && !isAlone
    ? true
    : place >= (row.rows ?? 0);
  return {
    statements: [
      begun.guard,
      ...(isDry ? [] : [...refusals.guards, ...dropRepeats(outcomes)]),
      ...recordFaults(row, taken, outcomes),
      ...(isDry ? remembered.record(row) : recordChanges(row, outcomes)),
      saveProgress(row, place, outcomes, moment.at),
    ],
    events: isDry ? [] : collectEvents(outcomes),
    notifications: isDry ? [] : outcomes.flatMap(({ notifications = [] }) => notifications),
    more: !isLast,
    author,
    payload: JSON.stringify(place < (progress.alone ?? 0) ? { alone: progress.alone, place } : { place }),
  };
}

/** Leaves out the guards of team and user that an earlier row of the step has already: most rows have the same. */
function dropRepeats(outcomes: readonly Outcome[]): Statement[] {
  const known = new Set<string>();
  return outcomes.flatMap(({ statements }) => statements).filter((statement) => {
    if (!isGuard(statement, "placement")) return true;
    const key = JSON.stringify([statement.sql, statement.args]);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

function collectEvents(outcomes: readonly Outcome[]): EventDraft[] {
  return outcomes.flatMap(({ events }) => events);
}

function recordFaults(
  { id, company_id }: ImportRow,
  drafts: readonly Draft[],
  outcomes: readonly Outcome[],
): Statement[] {
  const faults = drafts.flatMap(({ row, faults }, place) =>
    outcomes[place]!.action === "fail"
      ? faults.map(({ column, path, code, message, value }: RowFault) => ({
        company_id,
        import_id: id,
        row,
        column,
        path,
        code,
        message,
        value,
      }))
      : []
  );
  return faults.length > 0 ? [insertAll(importErrors, faults)] : [];
}

/** What a revert needs. A dry run has changed nothing. */
function recordChanges({ id }: ImportRow, outcomes: readonly Outcome[]): Statement[] {
  const changes = outcomes.flatMap(({ changes }) =>
    changes.map(({ row, entity, record_id, before, after }: RecordChange) => ({
      import_id: id,
      row,
      entity,
      record_id,
      before,
      after,
    }))
  );
  return changes.length > 0 ? [insertAll(importChanges, changes)] : [];
}

function saveProgress(row: ImportRow, place: number, outcomes: readonly Outcome[], at: string): Statement {
  const count = (wanted: Outcome["action"]) => outcomes.filter(({ action }) => action === wanted).length;
  let { preview } = row;
  if (row.status === "checking" && row.place < mostShown) {
    const shown = JSON.parse(preview ?? "[]") as unknown[];
    const more = outcomes.slice(0, mostShown - shown.length)
      .map(({ action, record }, index) => ({ row: row.place + index + 1, action, record: record() }));
    const text = JSON.stringify([...shown, ...more]);
    if (text.length <= longestPreview) preview = text;
  }
  return sql`update imports set place = ${place}, created = created + ${count("create")},
    updated = updated + ${count("update")}, skipped = skipped + ${count("skip")},
    failed = failed + ${count("fail")}, preview = ${preview}, started_at = coalesce(started_at, ${at})
    where id = ${row.id}`;
}

async function readMove(
  { db }: Moment,
  followers: ContactMoveEffects,
  { contact, account }: MovesContact,
): Promise<MoveReads> {
  const id = sql`${contact.id}`;
  return {
    results: await db.read([...followers.reads({ contact: id, account_id: account.id, with_cases: false })]),
  };
}
