/** Where the service may send requests that users ask for: not into its own network. */

import ipaddr from "ipaddr.js";

/**
 * Why a URL may not be called, or null when it may. Names are judged by their spelling only: what they
 * resolve to is checked when connecting, by `checkAddress`. Pure.
 */
export function checkTarget(url: string, allowPrivate: boolean): string | null {
  const target = URL.parse(url);
  if (target === null) return "is not an absolute URL";
  if (target.protocol !== "https:" && target.protocol !== "http:") {
    return "must begin with http:// or https://";
  }
  if (target.username !== "" || target.password !== "") return "must not carry a user name or password";
  if (allowPrivate) return null;
  // The parser has turned every spelling of an address (decimal, octal, hex, short) into the usual one.
  const host = target.hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(host) ? checkAddress(host) : checkName(host);
}

/** Why an IP address may not be connected to, or null when it is a global unicast one. Pure. */
export function checkAddress(address: string): string | null {
  if (!ipaddr.isValid(address)) return "is not an IP address";
  const parsed = ipaddr.parse(address);
  if (METADATA.has(parsed.toString())) return "is an address of the cloud's metadata";
  const range = parsed.range();
  if (range !== "unicast") return `is not a public address (${range})`;
  if (parsed instanceof ipaddr.IPv6 && !isGlobal(parsed)) return "is not a public address";
  return null;
}

/** Not in a range of their own: inside Azure this one answers for the platform. */
const METADATA = new Set(["168.63.129.16"]);

const INSIDE = ["localhost", "local", "internal", "localdomain", "home.arpa"];

function checkName(host: string): string | null {
  const name = host.toLowerCase().replace(/\.$/, "");
  if (INSIDE.some((end) => name === end || name.endsWith(`.${end}`)) || !name.includes(".")) {
    return "is not a public host name";
  }
  return null;
}

/** Inside 2000::/3, and outside 2001::/23, which is kept for protocols such as tunnels. */
function isGlobal({ parts: [first = 0, second = 0] }: ipaddr.IPv6): boolean {
  return (first & 0xe000) === 0x2000 && !(first === 0x2001 && second < 0x200);
}
