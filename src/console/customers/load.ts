/** Reads a page of contacts or of accounts. */
import { Problem } from "../../core/errors.ts";
import type { AccountRecord, ContactRecord } from "../account/load.ts";
import type { PageOf } from "../parts/list.tsx";
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
  const sent: Record<string, string> = {
    ...values,
    ...(isSort ? { sort } : {}),
    view: "summary",
    per_page: "25",
  };
  const read = async (query: Record<string, string>) => ({
    contacts: kind === "contacts" ? await call<PageOf<ContactRecord>>("listContacts", { query }) : null,
    accounts: kind === "accounts" ? await call<PageOf<AccountRecord>>("listAccounts", { query }) : null,
  });
  let isView = true;
  const [lists, saved] = await Promise.all([
    read(sent).catch((error) => {
      if (!isOfView(error)) throw error;
      isView = false;
      const { filter_id: _, ...rest } = sent;
      return read(rest);
    }),
    call<PageOf<SavedView>>(kind === "contacts" ? "listContactFilters" : "listAccountFilters", {
      query: { per_page: "100" },
    }),
  ]);
  const unknown = [
    ...(sort !== undefined && !isSort ? ["sort"] : []),
    ...(isView ? [] : ["filter_id"]),
    ...ignored,
  ];
  return { kind, ...lists, saved: saved.data, ignored: unknown };
}

/** Returns whether a list was refused because its saved view is gone, or is not the person's to use. */
function isOfView(error: unknown): boolean {
  return error instanceof Problem &&
    error.more.errors?.some(({ path }) => path === "query.filter_id") === true;
}
