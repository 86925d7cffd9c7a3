/** The client address of a request, by which failed attempts are counted. */
import ipaddr from "ipaddr.js";

/** Passed to the app with each request by the entry point. */
export interface Bindings {
  /** The peer's address; null when the platform does not report it. */
  readonly peer: () => string | null;
  /**
   * The body as it arrives, without the copies that the request's stream makes. The reader owns each chunk.
   * Absent if the platform has only the stream.
   */
  readonly chunks?: () => AsyncIterable<Uint8Array>;
  /** The call is one of a batch. */
  readonly isInner?: true;
}

/** Shared by all callers whose address is unknown. */
export const unknownAddress = "unknown";

/**
 * Returns the caller's address: that of the connection or, behind a trusted proxy, the last one in
 * `X-Forwarded-For`, which the proxy itself added. Uses the connection's if that is not an address. Returns
 * the /64 of an IPv6 address, because one caller usually has all of it, and a mapped IPv4 address as IPv4.
 */
export function findCallerAddress(request: Request, bindings: unknown, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() : null;
  const { peer } = (bindings ?? {}) as Partial<Bindings>;
  return (forwarded && normaliseAddress(forwarded)) || normaliseAddress(peer?.() ?? "") || unknownAddress;
}

/** Returns the form of an address by which calls and connections are counted. */
export function makeAddressKey(address: string): string {
  return normaliseAddress(address) ?? unknownAddress;
}

/** Returns null for text that is no address. Some proxies append a port. */
function normaliseAddress(written: string): string | null {
  const text = /^\[([^\]]*)\](?::\d+)?$/.exec(written)?.[1] ?? written.replace(/^(\d[\d.]*):\d+$/, "$1");
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return text;
  if (!ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0])}/64`;
}
