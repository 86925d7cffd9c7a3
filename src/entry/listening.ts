/** Explains in one line why a server cannot listen, and names the setting. */
import { type Config, ConfigError } from "../config.ts";

/** Translates a listen error into a ConfigError. Returns other errors unchanged. */
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
    return new ConfigError(`HOST ${host} is neither an address nor a name that this machine can resolve`);
  }
  if (/PermissionDenied|EACCES/.test(text)) {
    return new ConfigError(`PORT ${port} may not be used by this user`);
  }
  return error;
}
