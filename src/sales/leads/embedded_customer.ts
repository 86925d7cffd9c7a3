/** What a request says about a lead's account and contact, checked at once and not only on acceptance. */
import { type FieldError, fieldError } from "../../core/errors.ts";
import type { CustomValue } from "../../core/fields.ts";
import { checkValues } from "../../db/custom_values.ts";
import type { Fields, FieldSet } from "../../db/fields.ts";
import { exampleOf, type GivenValues, mergeCustom, valueAt } from "../../http/field_values.ts";
import type { AccountFacts } from "../../customers/accounts/present.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import { readAccountValues } from "../../customers/accounts/write.ts";
import { checkNamed, readContactValues } from "../../customers/contacts/write.ts";
import { type EmbeddedAccount, embeddedChannels, type EmbeddedContact } from "./record.ts";
import type { LeadBody } from "./schema.ts";

type AccountInput = LeadBody["account"];
type ContactInput = LeadBody["contact"];

/** Adds what the request says to what the lead carries; null: it carries nothing. Faults go to `errors`. */
export function readEmbeddedAccount(
  given: AccountInput,
  before: EmbeddedAccount | null,
  fields: Fields,
  errors: FieldError[],
): EmbeddedAccount | null {
  if (given === undefined) return before;
  if (given === null) return null;
  const { fixed, custom } = readAccountValues(given, fields, "account.", errors);
  mergeCustom({}, custom, fields.account, valueAt(given, "account."), errors);
  const carried = { ...before?.custom, ...custom };
  checkCarried(fields.account, carried, "account.custom_fields");
  return { fixed: { ...before?.fixed, ...fixed }, custom: carried };
}

export function readEmbeddedContact(
  given: ContactInput,
  before: EmbeddedContact | null,
  fields: Fields,
  errors: FieldError[],
): EmbeddedContact | null {
  if (given === undefined) return before;
  if (given === null) return null;
  const { fixed, custom } = readContactValues(given, fields, "contact.", errors);
  mergeCustom({}, custom, fields.contact, valueAt(given, "contact."), errors);
  const carried = { ...before?.custom, ...custom };
  checkCarried(fields.contact, carried, "contact.custom_fields");
  return {
    fixed: { ...before?.fixed, ...fixed },
    custom: carried,
    consent: consentAfter(given.consent, before?.consent ?? {}),
  };
}

/** The record that an acceptance makes of the values must have room for them. */
function checkCarried({ custom }: FieldSet, carried: GivenValues, path: string): void {
  const given = Object.entries(carried).filter((entry): entry is [string, CustomValue] => entry[1] !== null);
  checkValues(custom, {}, Object.fromEntries(given), path);
}

/** Null takes away what was carried; a `consent_given` that is null is carried. */
function consentAfter(
  given: NonNullable<ContactInput>["consent"],
  before: EmbeddedContact["consent"],
): EmbeddedContact["consent"] {
  if (given === null) return {};
  const after: Partial<Record<string, { consent_given: boolean | null }>> = { ...before };
  for (const channel of embeddedChannels) {
    const wanted = given?.[channel];
    if (wanted === null) delete after[channel];
    else if (wanted?.consent_given !== undefined) after[channel] = { consent_given: wanted.consent_given };
  }
  return after;
}

interface Parties {
  readonly b2c: boolean;
  readonly account_id: string | null;
  readonly contact_id: string | null;
  readonly account: EmbeddedAccount | null;
  readonly contact: EmbeddedContact | null;
}

/** A lead names an existing account or carries one, and the same for its contact. */
export function checkParties(parties: Parties, errors: FieldError[]): void {
  if (parties.account_id === null) {
    if (parties.account === null) {
      errors.push(fieldError("account", "required", "Required without account_id."));
    } else if (!parties.b2c && !parties.account.fixed.name && parties.contact_id === null) {
      errors.push(
        fieldError(
          "account.fixed_fields",
          "required",
          `An account needs a name. ${exampleOf({ name: "Ada Ltd" })}`,
        ),
      );
    }
  }
  if (parties.contact_id === null) {
    if (parties.contact === null) {
      errors.push(fieldError("contact", "required", "Required without contact_id."));
    } else checkNamed(parties.contact.fixed, "contact.", errors);
  }
}

/** What the lead carries leaves the records that it names with what they must have. */
export function checkMerged(
  { account, contact }: Pick<Parties, "account" | "contact">,
  named: { readonly account: AccountFacts | null; readonly contact: ContactFacts | null },
  errors: FieldError[],
): void {
  if (named.account?.b2c === 0 && account && !{ ...named.account, ...account.fixed }.name) {
    errors.push(
      fieldError(
        "account.fixed_fields",
        "required",
        `An account needs a name. ${exampleOf({ name: "Ada Ltd" })}`,
      ),
    );
  }
  if (named.contact && contact) checkNamed({ ...named.contact, ...contact.fixed }, "contact.", errors);
}
