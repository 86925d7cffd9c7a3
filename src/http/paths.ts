/** Which methods a path offers: for 405 with `Allow`, and for OPTIONS. Only asked when a request went astray. */
import { isIntegerId, isUuid } from "../core/ids.ts";
import type { ParamForm } from "./endpoint.ts";

export interface Offered {
  readonly method: string;
  /** In the form of a route: `/v1/accounts/:account_id`. */
  readonly path: string;
  readonly params?: Readonly<Record<string, ParamForm>> | undefined;
}

/**
 * The methods at an address, HEAD beside GET; empty when there is no such path. Where parameters of the
 * right form are found, other readings of the path do not count: `/v1/leads/filter` is no lead's address.
 */
export function methodsAt(offered: readonly Offered[], pathname: string): string[] {
  const parts = pathname.split("/");
  const exact = offered.filter((one) => fits(one, parts, true));
  const found = exact.length > 0 ? exact : offered.filter((one) => fits(one, parts, false));
  const methods = new Set(found.map(({ method }) => method.toUpperCase()));
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].sort();
}

/** The path of an address, as it was sent. */
export function pathOf(url: string): string {
  const path = pathAndQueryOf(url);
  const end = path.search(/[?#]/);
  return end < 0 ? path : path.slice(0, end);
}

/** Path and query of a URL, for any host. */
export function pathAndQueryOf(url: string): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

/** The query of an address; the host that a request names need not be one, so it is not parsed as a URL. */
export function queryOf(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}

/** Parameters by name; repeated ones (`x=a&x=b`, `x[]=a&x[]=b`) as a list. */
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
