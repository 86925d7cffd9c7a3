/** The fields of a record after a merge. */
import { type FieldError, fieldError } from "../../core/errors.ts";
import type { CustomValue, CustomValues } from "../../fields/custom_fields.ts";
import { fixedFields } from "../../fields/fixed_fields.ts";
import type { AccountFacts } from "../../customers/accounts/present.ts";
import { accountMembers } from "../../customers/accounts/record.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import { channels, contactMembers } from "../../customers/contacts/record.ts";
import type { CompanyFields } from "../../fields/field_sets.ts";
import { listGivenColumns } from "../../records/members.ts";
import type { MergeBody } from "./schema.ts";
import type { MergedType } from "./table.ts";

export type Take = NonNullable<MergeBody["take"]>;

type Facts = AccountFacts | ContactFacts;

/** Columns with what they become. Columns that keep their values are absent. */
export interface MergedFields<F extends Facts> {
  readonly fixed: Readonly<Record<string, string | null>>;
  readonly own: Partial<F>;
  /** All custom values after the merge; null: as before. */
  readonly custom: CustomValues | null;
}

/** The columns beside the fields that a change can set. Which account a contact has is no choice of a merge. */
const ownColumns: Readonly<Record<MergedType, readonly string[]>> = {
  account: listGivenColumns(accountMembers, "change"),
  contact: listGivenColumns(contactMembers, "change").filter((name) => name !== "account_id"),
};

/** Adds a fault for each name that is no field that the caller sees. */
export function checkTake(type: MergedType, take: Take, { seen }: CompanyFields, errors: FieldError[]): void {
  const fixed = new Set<string>(fixedFields[type].map(({ name }) => name));
  const custom = new Set(seen[type].custom.map(({ name }) => `custom.${name}`));
  for (const name of Object.keys(take)) {
    if (fixed.has(name) || custom.has(name) || ownColumns[type].includes(name)) continue;
    errors.push(fieldError(`take.${name}`, "unknown_field", `There is no field ${name}.`));
  }
}

/** Returns the fields of `of` after `other` is merged into it. */
export function mergeFields<F extends Facts>(
  type: MergedType,
  { all }: CompanyFields,
  of: F,
  other: F,
  take: Take,
): MergedFields<F> {
  const mine: Row = { ...of };
  const theirs: Row = { ...other };
  const fixed: Record<string, string | null> = {};
  const own: Record<string, unknown> = {};
  for (const { name } of fixedFields[type]) {
    if (takesOther(take[name], mine[name]) && mine[name] !== theirs[name]) {
      fixed[name] = theirs[name] as string | null;
    }
  }
  for (const name of ownColumns[type]) {
    if (takesOther(take[name], mine[name]) && mine[name] !== theirs[name]) own[name] = theirs[name];
  }
  if ("user_id" in own) own.user_name = theirs.user_name;
  return { fixed, own: own as Partial<F>, custom: mergeCustom(all[type].custom, of, other, take) };
}

type Row = Readonly<Record<string, string | number | null>>;

function takesOther(side: Take[string] | undefined, mine: unknown): boolean {
  return side === undefined ? isEmpty(mine) : side === "other";
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

function mergeCustom(
  fields: readonly { readonly id: string; readonly name: string }[],
  of: Facts,
  other: Facts,
  take: Take,
): CustomValues | null {
  const before = JSON.parse(of.custom) as CustomValues;
  const theirs = JSON.parse(other.custom) as CustomValues;
  const after: Record<string, CustomValue> = { ...before };
  for (const { id, name } of fields) {
    if (!takesOther(take[`custom.${name}`], before[id])) continue;
    if (theirs[id] === undefined) delete after[id];
    else after[id] = theirs[id];
  }
  return JSON.stringify(after) === JSON.stringify(before) ? null : after;
}

/** What the merge makes of consents and the status: false goes before true, and true before null. */
export function joinColumns(of: ContactFacts, other: ContactFacts): Partial<ContactFacts> {
  const changes: Partial<ContactFacts> = {};
  for (const channel of channels) {
    const [mine, theirs] = [of[`consent_${channel}`], other[`consent_${channel}`]];
    if (theirs === null || mine === 0 || mine === theirs) continue;
    changes[`consent_${channel}`] = theirs;
    changes[`consent_${channel}_at`] = other[`consent_${channel}_at`];
  }
  if (ranks.indexOf(other.status) > ranks.indexOf(of.status)) changes.status = other.status;
  return changes;
}

const ranks = ["lead", "opportunity", "customer"];
