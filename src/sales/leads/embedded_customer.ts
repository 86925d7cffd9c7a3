/** Reads and checks the account and contact that a lead embeds: at once, not only on acceptance. */
import { type FieldError, fieldError } from "../../core/errors.ts";
import { checkValues } from "../../db/custom_values.ts";
import type { Fields, FieldSet } from "../../db/fields.ts";
import {
  exampleOf,
  type FieldsBody,
  type GivenValues,
  mergeCustom,
  valueAt,
} from "../../http/field_values.ts";
import type { AccountFacts } from "../../customers/accounts/present.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import { readAccountValues } from "../../customers/accounts/write.ts";
import { checkNamed, readContactValues } from "../../customers/contacts/write.ts";
import { type EmbeddedAccount, embeddedChannels, type EmbeddedContact } from "./record.ts";
import type { LeadBody } from "./schema.ts";

type AccountInput = LeadBody["account"];
type ContactInput = LeadBody["contact"];

/** Merges the given data into the embedded data of the lead; null embeds nothing. Faults go to `errors`. */
export function readEmbeddedAccount(
  given: AccountInput,
  before: EmbeddedAccount | null,
  fields: Fields,
  errors: FieldError[],
): EmbeddedAccount | null {
  if (given === undefined) return before;
  if (given === null) return null;
  const values = readAccountValues(given, fields, "account.", errors);
  const custom = { ...before?.custom, ...values.custom };
  if (given.custom_fields) checkCustom(given, values.custom, custom, fields.account, "account.", errors);
  return { fixed: { ...before?.fixed, ...values.fixed }, custom };
}

export function readEmbeddedContact(
  given: ContactInput,
  before: EmbeddedContact | null,
  fields: Fields,
  errors: FieldError[],
): EmbeddedContact | null {
  if (given === undefined) return before;
  if (given === null) return null;
  const values = readContactValues(given, fields, "contact.", errors);
  const custom = { ...before?.custom, ...values.custom };
  if (given.custom_fields) checkCustom(given, values.custom, custom, fields.contact, "contact.", errors);
  return {
    fixed: { ...before?.fixed, ...values.fixed },
    custom,
    consent: consentAfter(given.consent, before?.consent ?? {}),
  };
}

/** Checks the given custom values. The record that an acceptance creates must have room for all of them (`after`). */
function checkCustom(
  body: FieldsBody,
  given: GivenValues,
  after: GivenValues,
  fields: FieldSet,
  path: string,
  errors: FieldError[],
): void {
  mergeCustom({}, given, fields, valueAt(body, path), errors);
  checkValues(fields.custom, {}, after, `${path}custom_fields`);
}

/** Null removes an embedded consent; a `consent_given` of null is embedded. */
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

/** A lead names an existing account or embeds one, and likewise its contact. */
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

/** The records that the lead names must keep their required values once the embedded data is merged. */
export function checkMerged(
  { account, contact }: Pick<Parties, "account" | "contact">,
  references: { readonly account: AccountFacts | null; readonly contact: ContactFacts | null },
  errors: FieldError[],
): void {
  if (references.account?.b2c === 0 && account && !{ ...references.account, ...account.fixed }.name) {
    errors.push(
      fieldError(
        "account.fixed_fields",
        "required",
        `An account needs a name. ${exampleOf({ name: "Ada Ltd" })}`,
      ),
    );
  }
  if (references.contact && contact) {
    checkNamed({ ...references.contact, ...contact.fixed }, "contact.", errors);
  }
}
