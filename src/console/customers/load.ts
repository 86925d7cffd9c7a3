/** Reads a page of contacts or of accounts. */
import { type AccountRecord, type ContactRecord, type PageOf } from "../account/load.ts";
import { forms, readParameters } from "../parts/parameters.ts";
import type { Visit } from "../visit.ts";

export const kinds = ["contacts", "accounts"] as const;
export type Kind = typeof kinds[number];

export const sorts: Readonly<Record<Kind, readonly string[]>> = {
  contacts: ["-last_activity_at", "last_name", "-created_at", "-updated_at"],
  accounts: ["-last_activity_at", "name", "-created_at", "-updated_at"],
};

export interface SavedView {
  readonly id: string;
  readonly name: string;
}

export interface CustomersContent {
  readonly kind: Kind;
  readonly contacts: PageOf<ContactRecord> | null;
  readonly accounts: PageOf<AccountRecord> | null;
  readonly saved: readonly SavedView[];
  readonly ignored: readonly string[];
}

/** The values that parameters of the address may have. */
const known: Readonly<Record<string, RegExp>> = {
  kind: /^(?:contacts|accounts)$/,
  search: forms.search,
  sort: /^-?(?:last_activity_at|last_name|name|created_at|updated_at)$/,
  users: forms.ids,
  teams: forms.ids,
  groups: forms.ids,
  filter_id: forms.uuid,
};

export async function readCustomers({ query, call }: Visit): Promise<CustomersContent> {
  const { values: { kind: asked, sort, ...values }, ignored } = readParameters(query, known);
  const kind: Kind = asked === "accounts" ? "accounts" : "contacts";
  const isSort = sort !== undefined && sort.replace("-", "") !== (kind === "accounts" ? "last_name" : "name");
  const sent = {
    query: { ...values, ...(isSort ? { sort } : {}), view: "summary", per_page: "25" },
  };
  const [contacts, accounts, saved] = await Promise.all([
    kind === "contacts" ? call<PageOf<ContactRecord>>("listContacts", sent) : null,
    kind === "accounts" ? call<PageOf<AccountRecord>>("listAccounts", sent) : null,
    call<PageOf<SavedView>>(kind === "contacts" ? "listContactFilters" : "listAccountFilters", {
      query: { per_page: "100" },
    }),
  ]);
  const unknown = sort !== undefined && !isSort ? ["sort", ...ignored] : ignored;
  return { kind, contacts, accounts, saved: saved.data, ignored: unknown };
}
