/** What outages take from a serving process, and give back. */
import { DatabaseSync } from "node:sqlite";
import { isBusy } from "../../src/platform/database/sqlite.ts";
import { pause } from "../../src/platform/pause.ts";
import { type Child, projectRoot, runCommand, runOfTests, startChild } from "../support/process.ts";
import { Refusal, type Smtp } from "../support/smtp.ts";
import type { Listener } from "./outages_listener.ts";

/** Takes something away; returns what gives it back. */
export type Outage = () => Promise<() => Promise<void>>;

export type Outages = Readonly<Record<string, Outage>>;

/** What can be away. */
export function makeOutages(
  folder: string,
  { smtp, listener, server, remote, limitsFiles }: {
    readonly smtp: Smtp;
    readonly listener: Listener;
    readonly server: Child;
    readonly remote: Endpoint | null;
    readonly limitsFiles: boolean;
  },
): { readonly databases: Outages; readonly others: Outages } {
  const mailServer: Outage = () => {
    smtp.dead = true;
    smtp.onRecipient = () => {
      throw new Refusal(421, "closing");
    };
    return Promise.resolve(() => {
      smtp.dead = false;
      smtp.onRecipient = () => {};
      return Promise.resolve();
    });
  };
  const storage: Outage = async () => {
    const { path, real } = findStorage(folder);
    await point(path, `${folder}/no_folder`);
    return () => point(path, real);
  };
  const target: Outage = () => {
    listener.dead = true;
    return Promise.resolve(() => {
      listener.dead = false;
      return Promise.resolve();
    });
  };
  const printer: Outage = () => {
    Deno.kill(server.pid, "SIGUSR2");
    return Promise.resolve(() => Promise.resolve());
  };
  const holdDatabase: Outage = async () => {
    // It waits between tries: SQLite would wait in the call itself, and the mail server of this process with it.
    const other = new DatabaseSync(`${folder}/crm.db`, { timeout: 0 });
    while (!canBegin(other)) await pause(5);
    return () => {
      other.exec("rollback");
      other.close();
      return Promise.resolve();
    };
  };
  const pid = () => remote?.pid() ?? server.pid;
  return {
    databases: {
      ...(limitsFiles ? { full: () => fillDisk(pid()) } : {}),
      ...(remote === null ? { held: holdDatabase } : { stops: remote.stop, hangs: remote.hang }),
    },
    others: { mailServer, storage, target, printer },
  };
}

/** Begins a transaction that writes, unless another has the lock. */
function canBegin(db: DatabaseSync): boolean {
  try {
    db.exec("begin immediate");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** The folder of the storage, and where it is when it is not away. */
const findStorage = (folder: string) => ({ path: `${folder}/files`, real: `${folder}/files.there` });

/** Makes the folder of the storage, which can be taken away in one step. Call it before the service starts. */
export async function makeStorage(folder: string): Promise<void> {
  const { path, real } = findStorage(folder);
  await Deno.mkdir(real);
  await Deno.writeTextFile(`${folder}/no_folder`, "no folder");
  await point(path, real);
}

/** Lets a link point to something else, in one step: the service would make a folder that is missing anew. */
async function point(link: string, to: string): Promise<void> {
  await Deno.symlink(to, `${link}.new`);
  await Deno.rename(`${link}.new`, link);
}

/** The program for `startChild` that lets `fillDisk` refuse writes of a program instead of ending it. */
export const refusableArguments = (
  args: readonly string[],
) => ["-c", 'trap "" XFSZ; exec "$@"', "sh", ...args];

/** Whether this machine can limit the files of a process that runs. */
export async function canLimitFiles(): Promise<boolean> {
  try {
    return (await runCommand(["--version"], {}, { command: "prlimit" })).code === 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Lets every write of the process to a file fail, as on a full disk. */
async function fillDisk(pid: number): Promise<() => Promise<void>> {
  const limit = async (bytes: string) => {
    const { code, stderr } = await runCommand(["--pid", String(pid), `--fsize=${bytes}:`], {}, {
      command: "prlimit",
    });
    if (code !== 0) throw new Error(stderr);
  };
  await limit("0");
  return () => limit("unlimited");
}

export interface Endpoint {
  readonly url: string;
  readonly pid: () => number;
  readonly stop: Outage;
  readonly hang: Outage;
  close(): Promise<void>;
}

/** A remote database in a process of its own, at an address that stays. */
export async function startEndpoint(path: string): Promise<Endpoint> {
  let child: Child;
  const start = async (port: string) => {
    const program = [Deno.execPath(), ...runOfTests, `${projectRoot}tests/support/hrana.ts`];
    child = startChild(refusableArguments([...program, "--file", path, "--port", port]), {}, {
      command: "sh",
    });
    return await child.line(
      (line) => /^http:\S+$/.exec(line)?.[0] ?? null,
      30_000,
    );
  };
  const url = await start("0");
  return {
    url,
    pid: () => child.pid,
    async stop() {
      await child.kill("SIGKILL");
      return async () => void await start(new URL(url).port);
    },
    hang() {
      Deno.kill(child.pid, "SIGSTOP");
      return Promise.resolve(() => Promise.resolve(Deno.kill(child.pid, "SIGCONT")));
    },
    async close() {
      await child.kill("SIGKILL");
    },
  };
}
