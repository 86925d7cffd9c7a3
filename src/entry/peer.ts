/** The other end of a connection that `Deno.serve` accepted. */
import type { Bindings } from "../http/address.ts";

/** Returns the bindings of a request: its network address, null for a socket that has none. */
export function readPeer(info: Deno.ServeHandlerInfo): Bindings {
  // Read lazily: most calls do not need the address.
  return { peer: () => "hostname" in info.remoteAddr ? info.remoteAddr.hostname : null };
}
