/** Decides where the service may send requests for users: not into its own network. */

import ipaddr from "ipaddr.js";

/**
 * Returns the reason why a URL may not be called, or null. Checks only the spelling of names; `checkAddress`
 * checks their addresses when connecting. Pure.
 */
export function checkTarget(url: string, allowPrivate: boolean): string | null {
  const target = URL.parse(url);
  if (target === null) return "is not an absolute URL";
  if (target.protocol !== "https:" && target.protocol !== "http:") {
    return "must begin with http:// or https://";
  }
  if (target.username !== "" || target.password !== "") return "must not carry a user name or password";
  if (allowPrivate) return null;
  // The parser has normalized every spelling of an address (decimal, octal, hex, short).
  const host = target.hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(host) ? checkAddress(host) : checkName(host);
}

/** Returns the reason why an IP address may not be called, or null for a global unicast address. Pure. */
export function checkAddress(address: string): string | null {
  if (!ipaddr.isValid(address)) return "is not an IP address";
  const parsed = ipaddr.parse(address);
  if (metadataAddresses.has(parsed.toString())) return "is an address of the cloud's metadata";
  const range = parsed.range();
  if (range !== "unicast") return `is not a public address (${range})`;
  if (parsed instanceof ipaddr.IPv6 && !isGlobal(parsed)) return "is not a public address";
  return null;
}

/** This address is in no reserved range, but inside Azure it serves the platform. */
const metadataAddresses = new Set(["168.63.129.16"]);

const internalDomains = ["localhost", "local", "internal", "localdomain", "home.arpa"];

function checkName(host: string): string | null {
  const name = host.toLowerCase().replace(/\.$/, "");
  if (internalDomains.some((end) => name === end || name.endsWith(`.${end}`)) || !name.includes(".")) {
    return "is not a public host name";
  }
  return null;
}

/** Inside 2000::/3 and outside 2001::/23, which is reserved for protocols such as tunnels. */
function isGlobal({ parts: [first = 0, second = 0] }: ipaddr.IPv6): boolean {
  return (first & 0xe000) === 0x2000 && !(first === 0x2001 && second < 0x200);
}
