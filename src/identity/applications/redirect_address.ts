/** Addresses to which the authorization page sends people back to an application: RFC 8252. */
import { isHttpUrl } from "../../core/lines.ts";

/** Addresses of the person's own machine, up to the port, which the application chooses when it starts. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;

/** A scheme with a dot, which an app on the person's machine owns: `com.example.app:/callback`. */
const privateUse = /^([a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:)\//i;

/** Whether an application may register the address. */
export function isRedirectAddress(address: string): boolean {
  return isHttpUrl(address) || privateUse.test(address) && URL.canParse(address);
}

/** Whether it belongs to an app on the person's machine. Other apps may receive its codes: PKCE is required. */
export function isNativeAddress(address: string): boolean {
  if (privateUse.test(address)) return true;
  // As browsers read it: `HTTP:/127.1` is the same machine.
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && (hostname === "127.0.0.1" || hostname === "[::1]");
}

/** Compares character by character, except for the port of a loopback address. */
export function fitsRegistered(address: string, registered: string): boolean {
  if (address === registered) return true;
  if (!loopback.test(address) || !URL.canParse(address)) return false;
  return address.replace(loopback, "$1") === registered.replace(loopback, "$1");
}

/** Returns the source of a content security policy that allows the redirect. */
export function composePolicySource(address: string): string {
  const [, scheme] = privateUse.exec(address) ?? [];
  if (scheme) return scheme.toLowerCase();
  const { origin, protocol, hostname } = new URL(address);
  // The policy cannot name an IPv6 address.
  return hostname.startsWith("[") ? protocol : origin;
}

/** Returns what a person recognizes in the address: its host, or the scheme of an app. */
export function extractRecognizablePart(address: string): string {
  return privateUse.exec(address)?.[1]?.slice(0, -1) ?? new URL(address).host;
}
