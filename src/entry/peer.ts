/** The other end of a connection that `Deno.serve` accepted. */
import type { Bindings } from "../http/address.ts";

export function peerOf(info: Deno.ServeHandlerInfo): Bindings {
  // Asked for when needed only: most calls do not ask where they come from.
  return { peer: () => "hostname" in info.remoteAddr ? info.remoteAddr.hostname : null };
}
