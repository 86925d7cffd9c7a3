/** Reads what a merge is about: records that may be the same, or the two side by side. */
import { Problem } from "../../core/errors.ts";
import { parseSearchText } from "../account/ask_duplicates.ts";
import type { AccountRecord, ContactRecord } from "../account/load.ts";
import { findRecordName } from "../account/load.ts";
import { readNames, readTeams } from "../parts/choices.ts";
import { formatFieldValue, pickShownFields, type RecordField } from "../parts/fields.tsx";
import { findLabel } from "../parts/labels.ts";
import type { PageOf, Pagination } from "../parts/list.tsx";
import { forms, readParameters } from "../parts/parameters.ts";
import type { Visit } from "../visit.ts";
import type { MergeKind, Moved } from "./kinds.ts";

export interface MergedRecord
  extends Pick<AccountRecord, "id" | "user" | "b2c" | "fixed_fields" | "custom_fields"> {
  readonly external_id: string | null;
  /** Of accounts. */
  readonly team_id?: number | null;
  /** Of contacts. */
  readonly consent?: ContactRecord["consent"];
}

/** A record that may be the same. */
export interface Candidate {
  readonly id: string;
  readonly name: string | null;
  /** What is equal; empty for one that was searched for. */
  readonly reasons: readonly string[];
}

/** A field in which the two differ. */
export interface Difference {
  /** As `take` names it. */
  readonly name: string;
  readonly label: string;
  readonly mine: string | null;
  readonly theirs: string | null;
}

export interface Comparison {
  readonly other: MergedRecord;
  readonly differences: readonly Difference[];
  readonly equal: readonly { readonly label: string; readonly value: string }[];
  readonly moved: Moved;
  /** The consents after the merge; null for accounts. */
  readonly consent: ContactRecord["consent"] | null;
}

export interface MergeContent {
  readonly record: MergedRecord;
  /** Its version, as an entity tag. */
  readonly version: string;
  /** Null while the other record is to be chosen. */
  readonly comparison: Comparison | null;
  /** Null while the search is busy. */
  readonly candidates: readonly Candidate[] | null;
  /** Which of them the page shows; null when it shows them all. */
  readonly pagination: Pagination | null;
  readonly ignored: readonly string[];
  /** Why the two cannot merge: the code of the API. */
  readonly unfit: string | null;
}

interface Answer {
  readonly record: MergedRecord;
  readonly moved: Moved;
}

export async function readMerge(visit: Visit, kind: MergeKind): Promise<MergeContent> {
  const { params, query, record: read } = visit;
  const { values, ignored } = readParameters(query, { from_id: forms.uuid, search: forms.search });
  const { from_id, search, page = "1" } = values;
  const isProposing = !from_id && !search;
  const [found, pair, teams, searched, proposed] = await Promise.all([
    read<MergedRecord>(kind.read, { params }),
    from_id ? readPair(visit, kind, from_id) : null,
    from_id && kind.type === "account" ? readTeams(visit) : { choices: [], find: null },
    search && !from_id ? readSearched(visit, kind, { search, page }) : null,
    // Those of an account need only its id.
    isProposing && kind.type === "account" ? readAccountsLike(visit, params.account_id!) : null,
  ]);
  const { record, version } = found;
  const isFit = pair !== null && typeof pair === "object";
  const owners = isFit && kind.type === "account" ? [record.team_id, pair.other.team_id] : [];
  const of = await readNames(visit, "teams", teams, owners);
  return {
    record,
    version,
    comparison: isFit ? compare(visit, kind, record, pair.other, pair.answer, of) : null,
    candidates: isFit ? [] : searched?.found ?? proposed ?? await readCandidates(visit, kind, record),
    pagination: searched?.pagination ?? null,
    ignored,
    unfit: isFit ? null : pair,
  };
}

/** Returns the other record with what the merge would do, or why it cannot be. */
async function readPair(
  { call, params }: Visit,
  kind: MergeKind,
  from_id: string,
): Promise<{ other: MergedRecord; answer: Answer } | string> {
  try {
    const [other, answer] = await Promise.all([
      call<MergedRecord>(kind.read, { params: { [kind.param]: from_id } }),
      call<Answer>(kind.merge, { params, body: { from_id, dry_run: true } }),
    ]);
    return { other, answer };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.status === 404) return "exists";
    if (error.status === 422) return error.more.errors?.[0]?.code ?? "other";
    throw error;
  }
}

async function readSearched(
  { call, texts }: Visit,
  kind: MergeKind,
  query: { readonly search: string; readonly page: string },
): Promise<{ found: Candidate[]; pagination: Pagination | null }> {
  const { data, pagination } = await call<PageOf<MergedRecord>>(kind.find, {
    query: { ...query, view: "summary", per_page: "25" },
  });
  const found = data.map((record) => ({
    id: record.id,
    name: findRecordName(record, texts.leads.unnamed),
    reasons: [],
  }));
  return { found, pagination: pagination.total > pagination.per_page ? pagination : null };
}

interface Found {
  readonly contact?: Omit<Candidate, "reasons"> | null;
  readonly account: Omit<Candidate, "reasons">;
  readonly reasons: readonly string[];
}

/** Returns the records that may be the same, the best first; null while the search is busy. */
async function readCandidates(
  visit: Visit,
  { type }: MergeKind,
  record: MergedRecord,
): Promise<Candidate[] | null> {
  if (type === "account") return await readAccountsLike(visit, record.id);
  const getFixedText = (name: string) => {
    const value = record.fixed_fields.find((field) => field.name === name)?.value;
    return typeof value === "string" ? parseSearchText(value) : null;
  };
  const [first, last] = [getFixedText("first_name"), getFixedText("last_name")];
  const known = {
    email: getFixedText("email"),
    phone_number: getFixedText("phone_number"),
    name: first && last ? parseSearchText(`${first} ${last}`) : null,
  };
  if (Object.values(known).every((value) => value === null)) return [];
  const found = await readFound(visit, "findContactDuplicates", { ...known, exclude_id: record.id });
  return found && found.flatMap(({ contact, reasons }) => contact ? { ...contact, reasons } : []);
}

async function readAccountsLike(visit: Visit, account_id: string): Promise<Candidate[] | null> {
  const found = await readFound(visit, "findAccountDuplicates", { account_id });
  return found && found.map(({ account, reasons }) => ({ ...account, reasons }));
}

async function readFound({ call }: Visit, operation: string, body: object): Promise<readonly Found[] | null> {
  try {
    const { data } = await call<{ data: readonly Found[] }>(operation, { body });
    return data;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.status === 503) return null;
    // The record is not there, which its own read reports.
    if (error.status === 422) return [];
    throw error;
  }
}

function compare(
  visit: Visit,
  { type }: MergeKind,
  record: MergedRecord,
  other: MergedRecord,
  { record: after, moved }: Answer,
  teams: ReadonlyMap<string, string>,
): Comparison {
  const theirs = new Map(pickShownFields(other).map((field) => [field.id, field]));
  const { leads: texts, merging } = visit.texts;
  const team = ({ team_id }: MergedRecord) =>
    team_id == null ? null : teams.get(String(team_id)) ?? String(team_id);
  const own = (name: string, label: string, getValue: (of: MergedRecord) => string | null): Difference => ({
    name,
    label,
    mine: getValue(record),
    theirs: getValue(other),
  });
  const all: Difference[] = [
    ...pickShownFields(record).map((field): Difference => ({
      name: makeTakeName(field),
      label: findLabel(visit, field),
      mine: formatFieldValue(visit, field),
      theirs: formatFieldValue(visit, theirs.get(field.id) ?? { ...field, value: null }),
    })),
    own("user_id", texts.responsible, ({ user }) => user?.name ?? null),
    ...(type === "account" ? [own("team_id", texts.team_, team)] : []),
    own("external_id", merging.externalId, ({ external_id }) => external_id),
  ];
  return {
    other,
    differences: all.filter(({ mine, theirs }) => mine !== theirs),
    equal: all.flatMap(({ label, mine, theirs }) =>
      mine !== null && mine === theirs ? [{ label, value: mine }] : []
    ),
    moved,
    consent: after.consent ?? null,
  };
}

function makeTakeName({ id, name }: RecordField): string {
  return typeof id === "number" ? name : `custom.${name}`;
}
