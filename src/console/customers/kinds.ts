/** The two lists of Customers. */
export const customersPath = "/app/customers";

export const kinds = ["contacts", "accounts"] as const;
export type Kind = typeof kinds[number];

/** Returns which list an address asks for. */
export function parseKind(query: URLSearchParams): Kind {
  return query.get("kind") === "accounts" ? "accounts" : "contacts";
}
