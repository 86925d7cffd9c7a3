/** The settings of a process, and the one line it ends with when they are wrong. */
import process from "node:process";
import { type Config, ConfigError, loadConfig, misspeltVariables } from "../config.ts";
import { DatabaseUnavailable } from "../platform/database/database.ts";
import { runtimeFault } from "./runtime.ts";

/**
 * The configuration of the environment. Reports names that are probably misspelt on standard error. Throws
 * ConfigError, also when Deno is too old.
 */
export function readSettings(
  env: Record<string, string | undefined> = process.env,
  report: (line: string) => void = console.error,
): Config {
  const fault = runtimeFault(Deno.version.deno);
  if (fault !== null) throw new ConfigError(fault);
  for (const line of misspeltVariables(env)) report(line);
  return loadConfig(env);
}

/** Ends the process with code 1 after one line, when its operator can mend the error; else throws it. */
export function stopWith(error: unknown): never {
  if (!isForOperators(error)) throw error;
  console.error(error.message);
  process.exit(1);
}

/** Whether the message alone says what is wrong. */
export function isForOperators(error: unknown): error is Error {
  return error instanceof ConfigError || error instanceof DatabaseUnavailable;
}
