/** Shared by the commands: reads the command line and reports a fault in one line. */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import type { Config } from "../config.ts";
import { placeFault } from "../entry/open_database.ts";
import { describeStartError, isForOperators, readSettings } from "../entry/settings.ts";

/** A fault that the user of the command can correct. Only the message is printed. */
export class CommandError extends Error {}

/** The options of a command line by name. */
export type Options = Readonly<Record<string, string | boolean>>;

/** Runs a command and ends the process: 0, or 1 after a line on standard error. */
export async function runCommand(command: (args: string[]) => Promise<void> | void): Promise<never> {
  try {
    await command(Deno.args);
  } catch (error) {
    if (!isForPeople(error)) throw error;
    console.error(describeStartError(error));
    Deno.exit(1);
  }
  Deno.exit(0);
}

/** Reads the configuration from the environment. Throws ConfigError. */
export function readConfiguration(): Config {
  return readSettings();
}

/** Parses the options and the positional words of a command line. Throws CommandError with the usage. */
export function readArgs<T extends ParseArgsOptionsConfig>(
  args: string[],
  usage: string,
  options: T,
  words: number,
) {
  const read = () => {
    try {
      return parseArgs({ args, options, allowPositionals: true, strict: true });
    } catch (error) {
      throw new CommandError(`${error instanceof Error ? error.message : error}\nUsage: ${usage}`);
    }
  };
  const { values, positionals } = read();
  if (positionals.length !== words) throw new CommandError(`Usage: ${usage}`);
  return { values, words: positionals };
}

function isForPeople(error: unknown): error is Error {
  return error instanceof CommandError || isForOperators(error) || placeFault(error) !== null;
}
