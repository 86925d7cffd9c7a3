/** A service over the file of a test's app that is killed by SIGKILL and started again. */
import { type Actor, type Reply, send, type TestApp } from "../support/app.ts";
import { type Server, startProcess } from "../support/process.ts";
import { programArguments } from "../support/programs.ts";

/** Longer than any lease of work, in milliseconds. */
const afterLeases = 200_000;

export interface Measured {
  /** Milliseconds of the longest commit. */
  readonly longest: number;
  /** Bytes. */
  readonly memory: number;
}

export class KilledService implements AsyncDisposable {
  readonly #app: TestApp;
  readonly #pause: number;
  #server: Server | null = null;

  /** `pause`: milliseconds before each commit of the service. */
  constructor(app: TestApp, pause: number) {
    this.#app = app;
    this.#pause = pause;
  }

  /** Starts the service at a time when all leases of the one before have run out. */
  async start(): Promise<void> {
    const { clock, file, folder } = this.#app;
    clock.move(afterLeases);
    this.#server = await startProcess(programArguments("tests/integration/killed_server.ts"), {
      DATABASE_URL: `file:${file}`,
      STORAGE_URL: `file:${folder}/files`,
      WEBHOOK_ALLOW_PRIVATE: "true",
      CLOCK: String(clock.now()),
      PAUSE: String(this.#pause),
    });
  }

  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await server?.kill("SIGKILL");
  }

  /** Where it listens; null while it is down. */
  get url(): string | null {
    return this.#server?.url ?? null;
  }

  /** Calls the service as the user. Throws when the service is down, or dies meanwhile. */
  async call({ token }: Actor, method: string, path: string, body?: unknown): Promise<Reply> {
    return await send(this.#server!.url + path, method, token, body);
  }

  /** Calls the service as the user; null when it dies before it answers. */
  async callOrDie(actor: Actor, method: string, path: string, body?: unknown): Promise<Reply | null> {
    return await this.call(actor, method, path, body).catch((error) => {
      if (error instanceof TypeError) return null;
      throw error;
    });
  }

  async measured(): Promise<Measured> {
    return await (await fetch(`${this.#server!.url}/measured`)).json();
  }

  async [Symbol.asyncDispose]() {
    await this.kill();
  }
}

/** Waits until the condition holds, looking every few milliseconds. Throws after `ms` of them. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  ms: number,
  every = 2,
): Promise<void> {
  const end = performance.now() + ms;
  while (!await holds()) {
    if (performance.now() > end) throw new Error("the state never came");
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}
