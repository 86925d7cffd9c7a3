/** Where a request comes from, as failures are counted by it. */
import ipaddr from "ipaddr.js";

/** What an entry hands to the app beside a request. */
export interface Bindings {
  /** The peer's address; null when the platform does not report it. */
  readonly peer: () => string | null;
}

/** Stands for all whose address is not known. */
export const unknownAddress = "unknown";

/**
 * The caller's address: that of the connection, or with a trusted proxy in front the last one of
 * `X-Forwarded-For`, since that is the one which the proxy itself has put there. What is no address there
 * leaves the connection's. IPv6 comes as its /64, as a caller has all of one; IPv4 inside IPv6 as IPv4.
 */
export function addressOf(request: Request, bindings: unknown, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() : null;
  const { peer } = (bindings ?? {}) as Partial<Bindings>;
  return (forwarded && normalised(forwarded)) || normalised(peer?.() ?? "") || unknownAddress;
}

/** An address as calls and connections are counted by it. */
export function addressKey(address: string): string {
  return normalised(address) ?? unknownAddress;
}

/** Null for what is no address. Some proxies write a port behind it. */
function normalised(written: string): string | null {
  const text = /^\[([^\]]*)\](?::\d+)?$/.exec(written)?.[1] ?? written.replace(/^(\d[\d.]*):\d+$/, "$1");
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return text;
  if (!ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0])}/64`;
}
