/** What the decisions on the rows of a step have in common. */
import type { FieldError } from "../../core/errors.ts";
import type { AccountFacts } from "../../customers/accounts/present.ts";
import type { ContactMoveEffects } from "../../customers/contacts/on_moved.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import type { UserAuthor } from "../../db/commit.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { readFields } from "../../fields/values.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { ContactChange } from "./consents.ts";
import type { Customers } from "./customers.ts";
import { addFault, addFaults, type Draft, type Part } from "./drafts.ts";
import { type CustomerKind, encodeOwnValues, hashOwnValues } from "./own_values.ts";
import type { ImportRow } from "./table.ts";

/** A record that a row made or changed, for the revert. */
export interface RecordChange {
  readonly row: number;
  readonly entity: string;
  readonly record_id: string;
  /** JSON; null: the row made it. */
  readonly before: string | null;
  readonly after: string;
}

export interface Outcome {
  readonly action: "create" | "update" | "skip" | "fail";
  /** Returns the record as GET shows it. Only the first rows of a dry run are shown. */
  readonly record: () => unknown;
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
  readonly notifications?: readonly NotificationDraft[];
  readonly changes: readonly RecordChange[];
  /** The accounts that the row makes or changes, or whose contacts it changes, as they are afterwards. */
  readonly accounts?: readonly { readonly account: AccountFacts; readonly isMade: boolean }[];
  /** The contact that the row makes or changes. */
  readonly contact?: ContactChange;
}

/** What the rows of a step have in common. */
export interface Deciding {
  readonly author: UserAuthor;
  readonly row: ImportRow;
  readonly customers: Customers;
  /** Results of `selectPlacementFacts` for the team and the user of the import. */
  readonly placing: readonly Result[];
  readonly followers: ContactMoveEffects;
  /** Whether nothing is written. */
  readonly isDry: boolean;
}

export const failed: Outcome = {
  action: "fail",
  record: () => null,
  statements: [],
  events: [],
  changes: [],
};

export const nobody: readonly Result[] = [
  { rows: [], changes: 0 },
  { rows: [], changes: 0 },
  { rows: [], changes: 0 },
];

/** Returns the value of `created_at` for the call. */
export function readCreatedAt({ properties }: Draft): string | undefined {
  return typeof properties.created_at === "string" ? properties.created_at : undefined;
}

export function earlier(at: string | undefined, now: string): string | undefined {
  return at !== undefined && at <= now ? at : undefined;
}

export function pickFields({ fixed_fields, custom_fields }: Part) {
  return { fixed_fields: [...fixed_fields], custom_fields: [...custom_fields] };
}

/** Finds the faults of the values of a record on which nothing else is decided. */
export function checkFields(
  { author, row }: Deciding,
  draft: Draft,
  of: "self" | "account",
  part: Part,
): void {
  const errors: FieldError[] = [];
  const kind = row.entity === "accounts" || of === "account" ? "account" : "contact";
  readFields(pickFields(part), author.fields.seen[kind], "", errors);
  for (const { path, code, message } of errors) addFault(draft, of, path, code, message);
}

/** Decides, and adds the faults of a refusal to the row. */
export function attempt<T>(draft: Draft, of: "self" | "account", nameOf: string, decide: () => T): T | null {
  try {
    return decide();
  } catch (error) {
    addFaults(draft, error, of, nameOf);
    return null;
  }
}

export function recordCreation(
  entity: CustomerKind,
  { row }: Draft,
  facts: AccountFacts | ContactFacts,
): RecordChange {
  return { row, entity, record_id: facts.id, before: null, after: hashOwnValues(entity, facts) };
}

export function recordUpdate(
  entity: CustomerKind,
  { row }: Draft,
  before: AccountFacts | ContactFacts,
  after: AccountFacts | ContactFacts,
  { statements, events = [] }: {
    readonly statements: readonly Statement[];
    readonly events?: readonly EventDraft[];
  },
  present: () => unknown,
): Outcome {
  const [was, is] = [hashOwnValues(entity, before), hashOwnValues(entity, after)];
  // A row that changes nothing has no event either, as a PUT.
  const isSame = was === is && statements.length > 0;
  return {
    action: "update",
    record: present,
    statements: isSame ? [] : statements,
    events: isSame ? [] : events,
    changes: isSame ? [] : [{
      row,
      entity,
      record_id: after.id,
      before: encodeOwnValues(entity, before),
      after: is,
    }],
  };
}
