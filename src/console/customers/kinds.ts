/** The two lists of Customers. */
export const customersPath = "/app/customers";

export const kinds = ["contacts", "accounts"] as const;
export type Kind = typeof kinds[number];

/** Returns which list an address asks for. */
export function parseKind(query: URLSearchParams): Kind {
  return query.get("kind") === "accounts" ? "accounts" : "contacts";
}

/** Returns the address of a page about a saved view. */
export function composeViewPath(id: string, page: "edit" | "delete"): string {
  return `${customersPath}/views/${id}/${page}`;
}

/** Returns the address of the list under a saved view; without one, of the whole list. */
export function listPath(kind: Kind, view: string | null): string {
  return `${customersPath}?${new URLSearchParams({ kind, ...(view === null ? {} : { filter_id: view }) })}`;
}
