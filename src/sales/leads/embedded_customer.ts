/** Reads and checks the account and contact that a lead embeds: at once, not only on acceptance. */
import { type FieldError, fieldError } from "../../core/errors.ts";
import { checkValues } from "../../db/custom_values.ts";
import type { Fields, FieldSet } from "../../db/fields.ts";
import {
  exampleOf,
  type FieldsBody,
  type GivenFields,
  mergeCustom,
  readFields,
  valueAt,
} from "../../http/field_values.ts";
import type { AccountFacts } from "../../customers/accounts/present.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import { checkNamed } from "../../customers/contacts/write.ts";
import { type Embedded, embeddedChannels, type EmbeddedContact } from "./record.ts";
import type { LeadBody } from "./schema.ts";

/**
 * Merges the given account and contact into the embedded ones of the lead; null embeds nothing. Faults go to
 * `errors`.
 */
export function readEmbedded(
  { account, contact }: Pick<LeadBody, "account" | "contact">,
  before: Embedded,
  fields: Fields,
  errors: FieldError[],
): Embedded {
  return {
    account: account === undefined
      ? before.account
      : account && merged(account, before.account, fields.account, "account.", errors),
    contact: contact === undefined ? before.contact : contact && {
      ...merged(contact, before.contact, fields.contact, "contact.", errors),
      consent: consentAfter(contact.consent, before.contact?.consent ?? {}),
    },
  };
}

/** Merges the given values, and checks that the record that an acceptance creates has room for all of them. */
function merged(
  given: FieldsBody,
  before: Partial<GivenFields> | null,
  fields: FieldSet,
  path: string,
  errors: FieldError[],
): GivenFields {
  const values = readFields(given, fields, path, errors);
  const custom = { ...before?.custom, ...values.custom };
  if (given.custom_fields) {
    mergeCustom({}, values.custom, fields, valueAt(given, path), errors);
    checkValues(fields.custom, {}, custom, `${path}custom_fields`);
  }
  return { fixed: { ...before?.fixed, ...values.fixed }, custom };
}

/** Null removes an embedded consent; a `consent_given` of null is embedded. */
function consentAfter(
  given: NonNullable<LeadBody["contact"]>["consent"],
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

interface Parties extends Embedded {
  readonly b2c: boolean;
  readonly account_id: string | null;
  readonly contact_id: string | null;
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
  { account, contact }: Embedded,
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
