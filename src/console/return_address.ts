/** Where a form stands: its answer leads back there, such as to the third page of a list. */
import { extractQuery } from "../http/request.ts";

/** The parameter of a form's address that has it. */
const name = "back";

/** Adds an address of the console to that of a form. One that has a query says by it where its form stands. */
export function addReturnAddress(address: string, action: string): string {
  return action.includes("?") ? action : `${action}?${new URLSearchParams({ [name]: address })}`;
}

/** Returns the address that a form brings, with its query; null for none of the console. */
export function readReturnAddress({ method, url }: Request): string | null {
  const address = method === "POST" ? extractQuery(url).get(name) : null;
  return address !== null && /^\/app(?:[/?][!-~]*)?$/.test(address) ? address : null;
}

/** Returns the path of a page, with the query that it has where the form stands. */
export function findReturn(path: string, request: Request): string {
  const address = readReturnAddress(request);
  return address?.split("?", 1)[0] === path ? address : path;
}
