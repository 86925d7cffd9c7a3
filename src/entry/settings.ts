/** Reads the settings of a process and ends it with one line when they are wrong. */
import process from "node:process";
import { type Config, ConfigError, findMisspeltVariables, loadConfig } from "../config.ts";
import { DatabaseUnavailable, TookTooLong } from "../platform/database/database.ts";
import { explainRuntimeFault } from "./runtime.ts";

/**
 * Reads the configuration from the environment. Reports names that look misspelt on standard error. Throws
 * ConfigError, also when Deno is too old.
 */
export function readSettings(
  env: Record<string, string | undefined> = process.env,
  report: (line: string) => void = console.error,
): Config {
  const fault = explainRuntimeFault(Deno.version.deno);
  if (fault !== null) throw new ConfigError(fault);
  for (const line of findMisspeltVariables(env)) report(line);
  return loadConfig(env);
}

/**
 * Ends the process with code 1 after one line when the operator can correct the error; otherwise throws it.
 */
export function stopWith(error: unknown): never {
  if (!isForOperators(error)) throw error;
  console.error(describeStartError(error));
  process.exit(1);
}

/** Returns the line for the operator. It names the setting of a database that does not answer, and no secret. */
export function describeStartError(error: Error): string {
  if (!(error instanceof DatabaseUnavailable)) return error.message;
  return `DATABASE_URL: ${error instanceof TookTooLong ? "the database did not answer" : error.message}`;
}

/** Reports whether the message alone explains the fault. */
export function isForOperators(error: unknown): error is Error {
  return error instanceof ConfigError || error instanceof DatabaseUnavailable;
}
