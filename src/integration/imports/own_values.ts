/** The own values of customers: what an import leaves, and what its revert compares and puts back. */
import type { AccountFacts } from "../../customers/accounts/present.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import { sha256 } from "../../platform/crypto.ts";

/** Columns that calls set. The others follow from them, or from other records. */
const accountOwn = [
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
] as const;
const contactOwn = [
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
] as const;

/** The times of consents are put back with them, and are no change of their own. */
const consentTimes = ["consent_call_at", "consent_email_at", "consent_letter_at", "consent_sms_at"] as const;

export type CustomerKind = "accounts" | "contacts";

type Facts = Readonly<Record<string, unknown>>;

function pick(facts: Facts, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, facts[name] ?? null]));
}

/** Returns the mark of the own values of a customer: equal values have equal marks. */
export function markOf(kind: CustomerKind, facts: AccountFacts | ContactFacts): string {
  const own = kind === "accounts" ? accountOwn : contactOwn;
  const values = pick(facts as Facts, own);
  // Values of custom fields in any order.
  const custom = Object.entries(JSON.parse(String(values.custom)) as object).toSorted(([one], [other]) =>
    one < other ? -1 : 1
  );
  return sha256(JSON.stringify({ ...values, custom })).slice(0, 32);
}

/** Returns the values that a revert puts back, as JSON. */
export function keptValues(kind: CustomerKind, facts: AccountFacts | ContactFacts): string {
  const own = kind === "accounts" ? accountOwn : [...contactOwn, ...consentTimes];
  return JSON.stringify(pick(facts as Facts, [...own, "user_name"]));
}
