/** What a merge keeps for its undo. */
import type { AccountFacts } from "../../customers/accounts/present.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import { insertAll, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { ChangedValue } from "./follow.ts";
import { type MergedType, mergeRows } from "./table.ts";

/** The record `from` becomes the record `into`. */
export interface Renamed {
  readonly type: MergedType;
  readonly from: string;
  readonly into: string;
}

/** A changed field of a record that stayed. */
export interface ChangedField {
  readonly type: MergedType;
  readonly id: string;
  /** A column; for a custom value `custom` and the id of the field, with a dot between. */
  readonly column: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface Kept {
  /** The records that went, as they were. */
  readonly accounts: readonly AccountFacts[];
  readonly contacts: readonly ContactFacts[];
  readonly changed: readonly ChangedField[];
  /** The ids of all records that were merged. */
  readonly subjects: readonly string[];
  /** The ids of the accounts of the contacts. */
  readonly homes: readonly string[];
}

const ignored = new Set([
  "seq",
  "custom",
  "folded",
  "name_key",
  "name_words",
  "last_name_key",
  "phone_key",
  "e164",
  "updated_at",
  "version",
  "last_activity_at",
  "contact_count",
  "contact_name",
  "account_name",
  "account_team",
  "contact_team",
]);

/** Returns the fields in which two states of a record differ. */
export function listChangedFields<F extends AccountFacts | ContactFacts>(
  type: MergedType,
  before: F,
  after: F,
): ChangedField[] {
  const old: Readonly<Record<string, unknown>> = { ...before };
  const now: Readonly<Record<string, unknown>> = { ...after };
  const field = (column: string, one: unknown, other: unknown): ChangedField[] =>
    JSON.stringify(one) === JSON.stringify(other)
      ? []
      : [{ type, id: before.id, column, before: one ?? null, after: other ?? null }];
  const [mine, theirs] = [before, after].map(({ custom }) => JSON.parse(custom) as Record<string, unknown>);
  return [
    ...Object.keys(old).filter((column) => !ignored.has(column)).flatMap((column) =>
      field(column, old[column], now[column])
    ),
    ...[...new Set([...Object.keys(mine!), ...Object.keys(theirs!)])].flatMap((id) =>
      field(`custom.${id}`, mine![id], theirs![id])
    ),
  ];
}

/** Keeps the values that a merge changes. */
export function keepValues(merge_id: string, values: readonly ChangedValue[]): Statement[] {
  return values.length === 0 ? [] : [insertAll(mergeRows, values.map((value) => ({ merge_id, ...value })))];
}

/** Earlier merges into a record that goes are merges into the one that stays. */
export function rerootMerges(mergeId: string, { from, into }: Renamed, teamId: number | null): Statement[] {
  return [
    sql`insert into merge_rows (merge_id, table_name, row_id, column_name, before, after)
      select ${mergeId}, 'merges', id, 'root_id', ${from}, ${into} from merges where root_id = ${from}`,
    sql`update merges set root_id = ${into}, team_id = ${teamId} where root_id = ${from}`,
    sql`insert into merged_records (from_id, merge_id, into_id) values (${from}, ${mergeId}, ${into})`,
  ];
}
