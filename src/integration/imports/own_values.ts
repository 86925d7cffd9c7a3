/** The own values of records: what an import leaves, and what its revert compares and puts back. */
import type { AccountFacts } from "../../customers/accounts/present.ts";
import { accountMembers } from "../../customers/accounts/record.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import { contactMembers } from "../../customers/contacts/record.ts";
import { sha256 } from "../../platform/crypto.ts";
import { listGivenColumns, makeInitial } from "../../records/members.ts";
import { categoryMembers, type CategoryRow } from "../../sales/categories/record.ts";
import type { LeadRecord } from "../../sales/leads/parts.ts";
import { leadMembers } from "../../sales/leads/record.ts";
import { type ProductFacts, productMembers } from "../../sales/products/record.ts";

/** The columns of a record that calls set. The others follow from them, or from other records. */
interface OwnColumns {
  /** Those of the first version, in the order of the marks that are stored. */
  readonly first: readonly string[];
  /**
   * Those of later members, each with the value that it begins with. A mark has the ones with another value, so that
   * it stays equal when a member is added.
   */
  readonly later: readonly (readonly [name: string, first: unknown])[];
}

/** Returns the own columns of a record. `others`: columns that bodies set, and that no mark has. */
export function pickOwnColumns(
  members: object,
  first: readonly string[],
  ...others: readonly string[]
): OwnColumns {
  const known = new Set([...first, ...others]);
  const initial: Facts = makeInitial(members, {});
  return {
    first,
    later: listGivenColumns(members, "create", "change").filter((name) => !known.has(name))
      .map((name) => [name, initial[name] ?? null]),
  };
}

const accountOwn = pickOwnColumns(accountMembers, [
  "b2c",
  "external_id",
  "team_id",
  "user_id",
  "name",
  "address",
  "zip_code",
  "city",
  "state_region",
  "country",
  "vat",
  "website",
  "custom",
], "created_at");
const contactOwn = pickOwnColumns(contactMembers, [
  "account_id",
  "external_id",
  "user_id",
  "salutation",
  "first_name",
  "last_name",
  "email",
  "phone_number",
  "title",
  "custom",
  "consent_call",
  "consent_email",
  "consent_letter",
  "consent_sms",
], "created_at");
const productOwn = pickOwnColumns(productMembers, ["name", "list_price", "purchase_price", "type", "tax"]);
const categoryOwn = pickOwnColumns(categoryMembers, ["name"]);

/** The times of consents are put back with them, and are no change of their own. */
const consentTimes = ["consent_call_at", "consent_email_at", "consent_letter_at", "consent_sms_at"] as const;

export type CustomerKind = "accounts" | "contacts";

type Facts = Readonly<Record<string, unknown>>;

/** Returns the own values that the mark of a record has. */
export function pickOwnValues(facts: Facts, { first, later }: OwnColumns): Record<string, unknown> {
  const changed = later.filter(([name, begun]) => (facts[name] ?? begun) !== begun);
  return pick(facts, [...first, ...changed.map(([name]) => name)]);
}

function pick(facts: Facts, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, facts[name] ?? null]));
}

/** Returns the mark of the own values of a customer: equal values have equal marks. */
export function hashOwnValues(kind: CustomerKind, facts: AccountFacts | ContactFacts): string {
  const own = kind === "accounts" ? accountOwn : contactOwn;
  const values = pickOwnValues(facts as Facts, own);
  return hashValues({ ...values, custom: sortValues(String(values.custom)) });
}

/** Values of custom fields in any order. */
function sortValues(custom: string) {
  return Object.entries(JSON.parse(custom) as object).toSorted(([one], [other]) => one < other ? -1 : 1);
}

function hashValues(values: object): string {
  return sha256(JSON.stringify(values)).slice(0, 32);
}

/** Returns the mark of the own values of a product. */
export function markOfProduct({ custom, categories, related, ...product }: ProductFacts): string {
  return hashValues({
    ...pickOwnValues(product, productOwn),
    custom: sortValues(custom),
    categories: categories.map(({ name }) => name),
    related,
  });
}

/** Returns the mark of the own values of a category. */
export function markOfCategory(category: Pick<CategoryRow, "name">): string {
  return hashValues(pickOwnValues({ ...category }, categoryOwn));
}

/** The moves of a lead say which team it has. */
const leadOwn = pickOwnColumns(
  leadMembers,
  [
    "lead_type_id",
    "b2c",
    "interest",
    "lead_source",
    "lead_user",
    "agency_team_id",
    "product_ids",
    "lead_data",
    "account",
    "contact",
    "expires_at",
    "external_weight",
    "account_id",
    "contact_id",
    "case_id",
  ],
  "team_id",
  "created_at",
);

/** Returns the mark of the own values of a lead. What timers do with it is no change. */
export function markOfLead({ row, transitions }: LeadRecord): string {
  const moves = transitions.filter(({ kind }) => kind !== "escalation" && kind !== "revocation");
  return hashValues({ ...pickOwnValues(row, leadOwn), moves: moves.map(({ kind, at }) => [kind, at]) });
}

/** Returns the values that a revert puts back, as JSON. */
export function encodeOwnValues(kind: CustomerKind, facts: AccountFacts | ContactFacts): string {
  const { first, later } = kind === "accounts" ? accountOwn : contactOwn;
  const more = kind === "accounts" ? [] : consentTimes;
  const names = [...first, ...more, "user_name", ...later.map(([name]) => name)];
  return JSON.stringify(pick(facts as Facts, names));
}
