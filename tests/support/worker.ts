/** The service and other workers in a real workerd on loopback, without an account or network. */
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { makeWorkerAssets } from "../../src/cli/worker_assets.ts";
import project from "../deno.json" with { type: "json" };
import { type Child, projectRoot, runCommand, runOfTests, startChild } from "./process.ts";
import { sharedFolder } from "./temporary.ts";

export interface Worker {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Fires the cron trigger with the given scheduled time and waits until the handler is done. */
  runScheduled(timeMs: number): Promise<void>;
  /** What wrangler and the worker printed so far; a line may arrive after the answer that it is about. */
  output(): string;
  /** Waits for a line of the output, past or to come, that matches. */
  printed(pattern: RegExp): Promise<string>;
  /** Ends the worker with all its processes and deletes their files. */
  close(): Promise<void>;
}

/** Variables and secrets of a worker. */
type Vars = Readonly<Record<string, string>>;

const environment = {
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_WRITE_LOGS: "false",
  WRANGLER_HIDE_BANNER: "true",
};

/**
 * Starts the service from the bundle that `wrangler deploy` would send with the project's `wrangler.toml`.
 * All tests of a process share the bundle, which takes six seconds of processor time.
 */
export async function startWorker({ vars }: { readonly vars: Vars }): Promise<Worker> {
  bundled ??= bundle();
  const args = [`${projectRoot}tests/support/serve_bundle.ts`, await bundled, JSON.stringify(vars)];
  return await ready((env) => startChild([...runOfTests, ...args], env));
}

/** Returns the bytes of the bundle as Workers counts them: compressed by gzip. */
export async function measureBundle(): Promise<number> {
  const folder = await (bundled ??= bundle());
  // Source maps do not count.
  const modules = [...Deno.readDirSync(folder)].filter(({ isFile, name }) =>
    isFile && !/\.(json|map)$/.test(name)
  );
  return gzipSync(Buffer.concat(modules.map(({ name }) => Deno.readFileSync(`${folder}/${name}`)))).length;
}

/**
 * Starts the service by `wrangler dev`, as `deno task dev:worker` does, or another module: its path is from
 * the project's root.
 */
export async function startDev(
  { vars, entry }: { readonly vars: Vars; readonly entry?: string },
): Promise<Worker> {
  await makeWorkerAssets();
  return await ready((env, folder) => startChild(wranglerArguments(folder, entry, vars), env));
}

/** The folder of the bundle of the service. */
let bundled: Promise<string> | undefined;

/** Bundles the service into a new folder: its module, and `metadata.json` with what `wrangler.toml` says. */
async function bundle(): Promise<string> {
  await makeWorkerAssets();
  const folder = sharedFolder("wayline-bundle-");
  const file = `${folder}/upload`;
  const args = [...runOfTests, project.imports.wrangler, "deploy", "--dry-run", "--outfile", file];
  // A busy machine takes minutes.
  const { code, stdout, stderr } = await runCommand(args, environmentIn(folder), { timeoutMs: 300_000 });
  if (code !== 0) throw new Error(stdout + stderr);
  const upload = await Deno.readFile(file);
  const boundary = new TextDecoder().decode(upload.subarray(2, upload.indexOf("\r".charCodeAt(0))));
  const headers = { "Content-Type": `multipart/form-data; boundary=${boundary}` };
  const parts = await new Response(upload, { headers }).formData();
  await Deno.remove(file);
  for (const [name, part] of parts) {
    if (name === "metadata") await Deno.writeTextFile(`${folder}/metadata.json`, String(part));
    else if (part instanceof File) await Deno.writeFile(`${folder}/${name}`, await part.bytes());
  }
  return folder;
}

function environmentIn(folder: string): Record<string, string> {
  return { ...environment, WRANGLER_CACHE_DIR: `${folder}/cache`, XDG_CONFIG_HOME: `${folder}/config` };
}

/** Waits until the child says where the worker listens. */
async function ready(start: (env: Record<string, string>, folder: string) => Child): Promise<Worker> {
  const folder = await Deno.makeTempDir({ prefix: "wayline-worker-" });
  const child = start(environmentIn(folder), folder);

  async function close(): Promise<void> {
    // If the child does not end by itself, its children outlive it.
    const family = descendants(child.pid);
    await child.kill("SIGTERM", 5_000);
    endSurvivors(family);
    await Deno.remove(folder, { recursive: true });
  }

  try {
    const url = await child.line((line) => /Ready on (http:\/\/\S+)/.exec(line)?.[1] ?? null, 60_000);
    return {
      url,
      runScheduled: (timeMs) => runScheduled(url, timeMs),
      output: child.output,
      printed: (pattern) => child.line((line) => pattern.test(line) ? line : null, 30_000),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function wranglerArguments(folder: string, entry: string | undefined, vars: Vars): string[] {
  return [
    ...[...runOfTests, project.imports.wrangler, "dev", ...(entry ? [`${projectRoot}${entry}`] : [])],
    // An empty environment file stands in for the developer's own `.dev.vars` and `.env`.
    ...["--env-file", "/dev/null", "--persist-to", `${folder}/state`, "--local"],
    ...["--ip", "127.0.0.1", "--port", "0", "--inspector-port", "0", "--show-interactive-dev-session=false"],
    ...Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
  ];
}

async function runScheduled(url: string, timeMs: number): Promise<void> {
  const query = new URLSearchParams({ cron: "* * * * *", time: String(timeMs) });
  const response = await fetch(`${url}/cdn-cgi/local/scheduled?${query}`);
  const outcome = await response.text();
  if (response.status !== 200) throw new Error(`the scheduled run ended with ${response.status} ${outcome}`);
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Distinguishes the process from a later one with the same id. */
  readonly started: string;
}

/** Returns all child processes of the given one, and their children. */
function descendants(root: number): Process[] {
  const all = processes();
  const found = all.filter((one) => one.parent === root);
  for (const { pid } of found) found.push(...all.filter((one) => one.parent === pid));
  return found;
}

function endSurvivors(family: readonly Process[]): void {
  for (const { pid, started } of processes()) {
    if (family.some((one) => one.pid === pid && one.started === started)) Deno.kill(pid, "SIGKILL");
  }
}

/** Returns Linux's list of processes. Empty on other systems, where only wrangler cleans up. */
function processes(): Process[] {
  if (Deno.build.os !== "linux") return [];
  return [...Deno.readDirSync("/proc")].filter(({ name }) => /^\d+$/.test(name)).flatMap(({ name }) => {
    try {
      // `pid (name) state parent …`, where the name may hold spaces and brackets.
      const fields = Deno.readTextFileSync(`/proc/${name}/stat`).replace(/^.*\) /s, "").split(" ");
      return fields[0] === "Z"
        ? []
        : [{ pid: Number(name), parent: Number(fields[1]), started: fields[19] ?? "" }];
    } catch {
      return []; // It ended meanwhile.
    }
  });
}
