/**
 * Finds the methods of a path, for 405 with `Allow` and for OPTIONS. Not used for requests that match a
 * route.
 */
import { isIntegerId, isUuid } from "../core/ids.ts";
import type { ParamForm } from "./endpoint.ts";

export interface Offered {
  readonly method: string;
  /** In the form of a route: `/v1/accounts/:account_id`. */
  readonly path: string;
  readonly params?: Readonly<Record<string, ParamForm>> | undefined;
}

/**
 * Returns the methods of a path, with HEAD if it has GET; empty for an unknown path. A literal match wins
 * over parameters: `/v1/leads/filter` is not the path of a lead.
 */
export function methodsAt(offered: readonly Offered[], pathname: string): string[] {
  const parts = pathname.split("/");
  const exact = offered.filter((one) => fits(one, parts, true));
  const found = exact.length > 0 ? exact : offered.filter((one) => fits(one, parts, false));
  const methods = new Set(found.map(({ method }) => method.toUpperCase()));
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].sort();
}

/** Returns the path of a URL as sent. */
export function pathOf(url: string): string {
  const path = pathAndQueryOf(url);
  const end = path.search(/[?#]/);
  return end < 0 ? path : path.slice(0, end);
}

/** Returns the path and query of a URL as sent, for any host. */
export function pathAndQueryOf(url: string): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

/** Returns the query of a URL. Does not parse the URL, because the host of a request can be invalid. */
export function queryOf(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}

/** Returns the query parameters by name; repeated ones (`x=a&x=b`, `x[]=a&x[]=b`) as a list. */
export function queryValues(url: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  if (!url.includes("?")) return query;
  for (const [written, value] of queryOf(url)) {
    const name = written.endsWith("[]") ? written.slice(0, -2) : written;
    if (name === "__proto__") continue;
    const before = Object.hasOwn(query, name) ? query[name] : undefined;
    if (before === undefined) query[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else query[name] = [before, value];
  }
  return query;
}

function fits({ path, params }: Offered, parts: readonly string[], exactly: boolean): boolean {
  const pattern = path.split("/");
  return pattern.length === parts.length && pattern.every((part, index) => {
    const given = parts[index]!;
    if (!part.startsWith(":")) return part === given;
    if (given === "") return false;
    const form = params?.[part.slice(1)];
    if (!exactly || form === undefined || form === "text") return true;
    return form === "uuid" ? isUuid(given) : isIntegerId(given);
  });
}
