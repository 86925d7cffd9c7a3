/**
 * Child processes of tests: servers that announce their address, and commands that run once.
 * Every wait is bounded, and an error shows what the child printed.
 */
import { checkSaid, saidInLog } from "./secrets.ts";

/** A started child process. */
export interface Child {
  readonly pid: number;
  readonly status: Promise<Deno.CommandStatus>;
  /** Complete lines of standard output so far. */
  stdout(): readonly string[];
  /** Standard output and standard error so far, line by line in the order of their arrival. */
  output(): string;
  /**
   * Waits for the first line of either output, past or to come, for which `read` returns a value; returns the
   * value.
   */
  line<T>(read: (line: string) => T | null, timeoutMs: number): Promise<T>;
  /**
   * Sends the signal and waits for the end. Kills a process that still runs after `graceMs`. Throws when its
   * log holds a secret.
   */
  kill(signal?: Deno.Signal, graceMs?: number): Promise<Deno.CommandStatus>;
}

export interface Server extends Child {
  /** The address that it announced, such as `http://127.0.0.1:41234`. */
  readonly url: string;
}

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessOptions {
  /** The program; Deno by default. */
  readonly command?: string;
  /** The project's root by default. */
  readonly cwd?: string;
  readonly timeoutMs?: number;
}

/** The project's root as a path, ending with a slash. */
export const projectRoot = new URL("../../", import.meta.url).pathname;

/**
 * Options of Deno that select the packages of the tests, as they are installed. With `auto`, each process
 * would compare the installed packages with `tests/deno.lock`: at its start, for a quarter of a second of
 * processor time, and at each dynamic import, for half a second.
 */
export const ofTests = ["--node-modules-dir=manual", "--config", `${projectRoot}tests/deno.json`] as const;

/** Arguments of Deno that run a program of `tests`, or a package that only the tests need. */
export const runOfTests = ["run", "-q", "-A", ...ofTests] as const;

/**
 * Arguments of Deno that run a package that only `deno task test:long` needs. The first run fetches them: they
 * are two fifths of all packages.
 */
export const runOfLongTests = [
  ...["run", "-q", "-A", "--node-modules-dir=auto"],
  ...["--config", `${projectRoot}tests/long/deno.json`],
] as const;

/**
 * Starts a server such as `["run", "-A", "src/entry/deno.ts"]` and waits until it logs
 * `{"event":"listening","url":…}` on standard output. Its environment is `env` and the variables that Deno
 * itself needs.
 */
export async function startProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  options: ProcessOptions = {},
): Promise<Server> {
  const child = startChild(args, env, options);
  try {
    return { ...child, url: await child.line(listeningUrl, options.timeoutMs ?? 20_000) };
  } catch (error) {
    await child.kill("SIGKILL");
    throw error;
  }
}

/**
 * Arguments of `setpriv` that run Deno as a user that file permissions apply to, unlike root. Changes nothing
 * for other users.
 */
export function withoutOverride(args: readonly string[]): string[] {
  const dropped = "-dac_override,-dac_read_search";
  const flags = Deno.uid() === 0
    ? [`--bounding-set=${dropped}`, `--inh-caps=${dropped}`]
    : ["--no-new-privs"];
  return [...flags, Deno.execPath(), ...args];
}

/** Returns the arguments of the process that serves for a task: the last of those that the task has started. */
export function servedArguments({ pid }: { readonly pid: number }): string[] {
  return Deno.readTextFileSync(`/proc/${servedProcess(pid)}/cmdline`).split("\0");
}

/** Returns the id of that process. */
export function servedProcess(pid: number): number {
  const threads = [...Deno.readDirSync(`/proc/${pid}/task`)];
  const children = threads.flatMap(({ name }) =>
    Deno.readTextFileSync(`/proc/${pid}/task/${name}/children`).split(" ").filter((id) => id.trim() !== "")
  );
  return children.length === 0 ? pid : servedProcess(Number(children.at(-1)));
}

/** Runs a command to its end and returns its code and output. Throws only when the run takes too long. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  options: ProcessOptions = {},
): Promise<Finished> {
  const child = spawn(args, env, options);
  const timeoutMs = options.timeoutMs ?? 60_000;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
  }, timeoutMs);
  const [status, stdout, stderr] = await Promise.all([
    child.status,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  clearTimeout(timer);
  if (late) {
    throw new Error(
      `${describe(args, options)} did not end within ${timeoutMs} ms; it printed:\n${stdout}${stderr}`,
    );
  }
  return { code: status.code, stdout, stderr };
}

/** Starts a child without waiting for anything. */
export function startChild(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  options: ProcessOptions = {},
): Child {
  const child = spawn(args, env, options);
  const stdout: string[] = [];
  const stderr: string[] = [];
  const all: string[] = [];
  const waiting = new Set<(line: string) => void>();
  const take = (line: string) => {
    all.push(line);
    for (const wake of [...waiting]) wake(line);
  };
  const read = Promise.all([
    eachLine(child.stdout, (line) => {
      stdout.push(line);
      take(line);
    }),
    eachLine(child.stderr, (line) => {
      stderr.push(line);
      take(line);
    }),
  ]);
  // The outputs are read to their ends first, so that nothing is missing once the status is known.
  const status = Promise.all([child.status, read]).then(([ended]) => ended);
  let running = true;
  status.finally(() => running = false);

  async function kill(signal: Deno.Signal = "SIGTERM", graceMs = 15_000): Promise<Deno.CommandStatus> {
    if (!running) return await status;
    send(child, signal);
    const timer = setTimeout(() => send(child, "SIGKILL"), graceMs);
    const ended = await status;
    clearTimeout(timer);
    checkSaid(saidInLog([...stdout.filter(isLogLine), ...stderr]));
    return ended;
  }

  function line<T>(reader: (line: string) => T | null, timeoutMs: number): Promise<T> {
    for (const earlier of all) {
      const found = reader(earlier);
      if (found !== null) return Promise.resolve(found);
    }
    return new Promise<T>((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        waiting.delete(wake);
        act();
      };
      const fail = (why: string) =>
        settle(() => reject(new Error(`${describe(args, options)} ${why}; it printed:\n${all.join("\n")}`)));
      const wake = (text: string) => {
        const found = reader(text);
        if (found !== null) settle(() => resolve(found));
      };
      const timer = setTimeout(() => fail(`did not get ready within ${timeoutMs} ms`), timeoutMs);
      waiting.add(wake);
      status.then((ended) => waiting.has(wake) && fail(`ended with code ${ended.code} before it was ready`));
    });
  }

  return { pid: child.pid, status, stdout: () => stdout, output: () => all.join("\n"), line, kill };
}

function spawn(args: readonly string[], env: Readonly<Record<string, string>>, options: ProcessOptions) {
  return new Deno.Command(options.command ?? Deno.execPath(), {
    args: [...args],
    cwd: options.cwd ?? projectRoot,
    clearEnv: true,
    env: { ...pickInherited(), ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/**
 * Returns the variables that any program needs to run on this machine, without those that configure the
 * service.
 */
function pickInherited(): Record<string, string> {
  const names = [
    "PATH",
    "HOME",
    "TMPDIR",
    "DENO_DIR",
    "NPM_CONFIG_REGISTRY",
    "NODE_EXTRA_CA_CERTS",
    "DENO_CERT",
  ];
  const env: Record<string, string> = { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
  for (const name of names) {
    const value = Deno.env.get(name);
    if (value !== undefined) env[name] = value;
  }
  return env;
}

async function eachLine(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(take);
  }
  if (rest !== "") take(rest);
}

/** Sends a signal to a child, which may have ended already. */
function send(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    child.kill(signal);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Returns true for a line of the log. What a command prints for its user may hold secrets. */
function isLogLine(line: string): boolean {
  return line.startsWith('{"time":');
}

function listeningUrl(line: string): string | null {
  if (!line.startsWith("{")) return null;
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry !== "object" || entry === null || !("event" in entry) || !("url" in entry)) return null;
    return entry.event === "listening" && typeof entry.url === "string" ? entry.url.replace(/\/$/, "") : null;
  } catch {
    return null;
  }
}

function describe(args: readonly string[], options: ProcessOptions): string {
  return [options.command ?? "deno", ...args].join(" ");
}
