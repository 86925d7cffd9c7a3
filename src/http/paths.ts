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
  /** The path, split at its slashes once, because a request is compared with every path. */
  readonly parts: readonly string[];
  readonly params?: Readonly<Record<string, ParamForm>> | undefined;
}

/**
 * Returns the methods of a path, with HEAD if it has GET; empty for an unknown path. A literal match wins
 * over parameters: `/v1/leads/filter` is not the path of a lead.
 */
export function listMethodsAt(offered: readonly Offered[], pathname: string): string[] {
  const parts = pathname.split("/");
  const exact = offered.filter((one) => fits(one, parts, true));
  const found = exact.length > 0 ? exact : offered.filter((one) => fits(one, parts, false));
  const methods = new Set(found.map(({ method }) => method.toUpperCase()));
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].sort();
}

function fits({ parts: pattern, params }: Offered, parts: readonly string[], exactly: boolean): boolean {
  return pattern.length === parts.length && pattern.every((part, index) => {
    const given = parts[index]!;
    if (!part.startsWith(":")) return part === given;
    if (given === "") return false;
    const form = params?.[part.slice(1)];
    if (!exactly || form === undefined || form === "text") return true;
    return form === "uuid" ? isUuid(given) : isIntegerId(given);
  });
}
