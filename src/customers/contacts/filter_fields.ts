/** Filter fields of contacts, besides fixed and custom fields. */
import { channels, contacts, contactStatuses } from "./record.ts";
import { column, type FilterField } from "../../filters/fields.ts";
import { listIndexes } from "../../lists/indexes.ts";

export const contactRows = {
  name: "contact",
  table: "contacts",
  indexes: listIndexes(contacts),
  counts: null,
};

type Described = Omit<FilterField, "relation">;

const fields: Readonly<Record<string, Described>> = {
  "account.id": { type: "text", value: column("account_id") },
  b2c: { type: "boolean", value: column("b2c") },
  created_at: { type: "timestamp", value: column("created_at") },
  updated_at: { type: "timestamp", value: column("updated_at") },
  status: {
    type: "choice",
    value: column("status"),
    choices: new Set(contactStatuses),
  },
  team_id: { type: "number", value: column("team_id"), share: 0.2 },
};

const consents: Readonly<Record<string, Described>> = Object.fromEntries(
  channels.flatMap((channel): [string, Described][] => [
    [`consent.${channel}.consent_given`, { type: "boolean", value: column(`consent_${channel}`) }],
    [`consent.${channel}.updated_at`, { type: "timestamp", value: column(`consent_${channel}_at`) }],
  ]),
);

/** `every`: names in the namespace of all contacts. `kinds`: names in those of businesses and consumers. */
export const contactNames = {
  every: [...Object.keys(fields), ...Object.keys(consents)],
  kinds: Object.keys(consents),
};

/**
 * Returns the field with the name (without its namespace); null for an unknown name. `kinds`: whether the
 * namespace is that of businesses or of consumers.
 */
export function contactField(name: string, kinds: boolean): Described | null {
  if (Object.hasOwn(consents, name)) return consents[name]!;
  return !kinds && Object.hasOwn(fields, name) ? fields[name]! : null;
}
