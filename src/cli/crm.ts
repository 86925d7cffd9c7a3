/** `deno task crm`: administration on the command line, with the same verbs as the API. */
import process from "node:process";
import { parseArgs } from "node:util";
import { describeStartError, readSettings } from "../entry/settings.ts";
import { fieldError, invalid, Problem } from "../core/errors.ts";
import { formatTimestamp } from "../core/time.ts";
import { version } from "../core/version.ts";
import { retrying } from "../db/commit.ts";
import { openBox } from "../entry/box.ts";
import { askSecret } from "./ask_secret.ts";
import { type Command, commands, Differing } from "./crm_commands.ts";

/** The input and output of a run. Lines come without line ends. */
export interface Terminal {
  out(line: string): void;
  error(line: string): void;
  /** Asks for a secret without echo. */
  ask(question: string): Promise<string>;
}

/** Runs one command. Returns the exit code: 0 done, 1 refused, 2 wrong usage. */
export async function crm(
  args: readonly string[],
  env: Record<string, string | undefined>,
  terminal: Terminal,
): Promise<number> {
  if (args.length === 0 || args[0] === "help" || args.includes("--help") || args.includes("-h")) {
    terminal.out(help());
    return args.length === 0 ? 2 : 0;
  }
  if (args[0] === "--version") {
    terminal.out(`Wayline CRM ${version}`);
    return 0;
  }
  const [words, name] = commands.has(args[0]!) ? [1, args[0]!] : [2, args.slice(0, 2).join(" ")];
  const command = commands.get(name);
  if (!command) {
    terminal.error(`There is no command "${name}"; see --help.`);
    return 2;
  }
  let options: Record<string, string | boolean>;
  try {
    options = parseOptions(command, args.slice(words));
  } catch (error) {
    terminal.error(`${(error as Error).message}; see --help.`);
    return 2;
  }
  try {
    if (options.password === true) options.password = await terminal.ask("Password: ");
    for (const line of await run(command, options, env, terminal.error)) terminal.out(line);
    return 0;
  } catch (error) {
    if (error instanceof Differing) { for (const line of error.lines) terminal.out(line); }
    for (const line of explain(error, command)) terminal.error(line);
    return 1;
  }
}

function parseOptions(command: Command, args: readonly string[]): Record<string, string | boolean> {
  // A value here would be a secret that every process can read. The error must not repeat it.
  const after = args[args.indexOf("--password") + 1];
  if (args.includes("--password") && after !== undefined && !after.startsWith("-")) {
    throw new Error("--password takes no value: the password is asked for, or read from standard input");
  }
  const { values, positionals } = parseArgs({
    args: [...args],
    options: command.options,
    strict: true,
    allowPositionals: command.word !== undefined,
  });
  const options: Record<string, string | boolean> = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "string" || typeof value === "boolean") options[name] = value;
  }
  const [word, ...more] = positionals;
  if (more.length > 0) throw new Error(`Unexpected argument '${more[0]}'`);
  if (command.word !== undefined && word !== undefined) options[command.word] = word;
  const missing = command.required.filter((option) => !options[option]).map((option) => `--${option}`);
  if (missing.length > 0) throw new Error(`${missing.join(", ")} must be given`);
  return options;
}

async function run(
  command: Command,
  options: Record<string, string | boolean>,
  env: Record<string, string | undefined>,
  report: (line: string) => void,
): Promise<readonly string[]> {
  if (options.company !== undefined && !/^\d{1,15}$/.test(String(options.company))) {
    throw invalid(fieldError("company", "format", "Must be the id of a company."));
  }
  const config = readSettings(env, report);
  // Standard output is the answer of the command.
  const box = await openBox({ ...config, logLevel: config.logLevel === "info" ? "error" : config.logLevel });
  try {
    const now = box.deps.clock.now();
    const author = { deps: box.deps, now, at: formatTimestamp(now) };
    return await retrying(() => command.run(author, options));
  } finally {
    await box.close();
  }
}

/** Translates an error into the words of the command line. */
function explain(error: unknown, command: Command): string[] {
  if (error instanceof Problem) {
    const faults = error.more.errors ?? [];
    if (faults.length === 0) return [error.detail];
    return faults.map(({ path, message }) => `${command.named[path] ?? path}: ${message}`);
  }
  return [error instanceof Error ? describeStartError(error) : String(error)];
}

function help(): string {
  return [
    "deno task crm COMMAND [OPTIONS]",
    "",
    ...[...commands].flatMap((
      [name, { usage, summary }],
    ) => [`  ${name} ${usage}`.trimEnd(), `      ${summary}`, ""]),
    "  --version",
    "      prints the version",
    "",
    "DATABASE_URL names the database. The default is file:./data/crm.db.",
  ].join("\n");
}

if (import.meta.main) {
  const code = await crm(process.argv.slice(2), process.env, {
    out: (line) => console.log(line),
    error: (line) => console.error(line),
    ask: askSecret,
  });
  // After a question the terminal stays open for reading and would keep the process alive.
  process.exit(code);
}
