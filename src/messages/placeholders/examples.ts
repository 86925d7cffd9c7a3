/** Examples of the values of contacts and accounts, for messages that are shown without a record. */
import type { OwnerType } from "../../fields/fixed_fields.ts";
import type { Fields } from "../../fields/field_sets.ts";

const fixed: Readonly<Record<string, string>> = {
  "contact.salutation": "Ms",
  "contact.first_name": "Ada",
  "contact.last_name": "Lovelace",
  "contact.full_name": "Ada Lovelace",
  "contact.email": "ada@example.org",
  "contact.phone_number": "+44 20 7946 0000",
  "contact.title": "Countess",
  "account.name": "Analytical Engines",
  "account.address": "12 St James's Square",
  "account.zip_code": "SW1Y 4JH",
  "account.city": "London",
  "account.state_region": "Greater London",
  "account.country": "United Kingdom",
  "account.vat": "GB123456789",
  "account.website": "https://example.org",
};

/** Returns the example of a placeholder; for a custom field its label; undefined for other placeholders. */
export function findExample(name: string, fields: Fields): string | undefined {
  const [, kind, custom] = /^(contact|account)\.custom\.(.+)$/.exec(name) ?? [];
  if (kind === undefined) return fixed[name];
  return fields[kind as Extract<OwnerType, "contact" | "account">].custom
    .find((field) => field.name === custom)?.label;
}
