/** Filter fields of accounts, besides fixed and custom fields. */
import { column, type FilterField } from "../../filters/fields.ts";
import { indexesOf } from "../../lists/indexes.ts";
import { accounts } from "./table.ts";

export const accountRows = {
  name: "account",
  table: "accounts",
  indexes: indexesOf(accounts),
  counts: null,
};

type Described = Omit<FilterField, "relation">;

const fields: Readonly<Record<string, Described>> = {
  b2c: { type: "boolean", value: column("b2c") },
  created_at: { type: "timestamp", value: column("created_at") },
  updated_at: { type: "timestamp", value: column("updated_at") },
};

/** Fields of businesses and consumers alike. */
export const accountNames = { every: Object.keys(fields), kinds: [] as readonly string[] };

/** By name without the namespace. `kinds`: in the namespaces of businesses or consumers only. */
export function accountField(name: string, kinds: boolean): Described | null {
  return !kinds && Object.hasOwn(fields, name) ? fields[name]! : null;
}
