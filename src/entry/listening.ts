/** Why a server cannot listen, in one line that names the setting. */
import { type Config, ConfigError } from "../config.ts";

/** The error of a listening server in terms of the settings; an error of another kind is returned as it is. */
export function listeningFault(error: unknown, { host, port }: Pick<Config, "host" | "port">): unknown {
  const text = error instanceof Error
    ? `${"code" in error ? error.code : ""} ${error.name} ${error.message}`
    : "";
  if (/AddrInUse|EADDRINUSE/.test(text)) {
    return new ConfigError(`PORT ${port} is in use on ${host}: another program listens there`);
  }
  if (/AddrNotAvailable|EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL/.test(text)) {
    return new ConfigError(`HOST ${host} is not an address of this machine`);
  }
  if (/ENOTFOUND|EAI_|failed to lookup|not known|invalid (?:host|socket)/i.test(text)) {
    return new ConfigError(`HOST ${host} is no address and no name that this machine can look up`);
  }
  if (/PermissionDenied|EACCES/.test(text)) {
    return new ConfigError(`PORT ${port} may not be used by this user`);
  }
  return error;
}
