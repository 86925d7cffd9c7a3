/**
 * A libSQL server for tests: Hrana over HTTP on a file, with the engine that Turso runs. It counts the
 * round trips, and can run in its own process:
 *
 *     deno run -A tests/support/hrana.ts --file crm.db --port 0 [--token t] [--latency 5]
 *
 * Then its address is the first line that it prints.
 *
 * While it runs in a process, nothing else in that process may open the file with `node:sqlite`: file locks
 * belong to processes, so the two engines would not see each other's locks and could corrupt the file.
 */

import type { PipelineRequest } from "./hrana_protocol.ts";
import { Stream } from "./hrana_stream.ts";

export interface HranaOptions {
  readonly path: string;
  readonly port?: number;
  /** If given, the server refuses requests without it. */
  readonly token?: string;
  /** Milliseconds by which every answer is late. */
  readonly latency?: number;
}

export interface Hrana {
  readonly url: string;
  /** How many pipeline requests came since the start or the last reset. */
  roundTrips(): number;
  reset(): void;
  close(): Promise<void>;
}

export async function startHrana(options: HranaOptions): Promise<Hrana> {
  let roundTrips = 0;
  const idle = [new Stream(options.path)];
  const open = new Map<string, Stream>();

  async function handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.method === "GET" && (pathname === "/v2" || pathname === "/v3")) return new Response("ok");
    if (request.method !== "POST" || !/^\/v[23]\/pipeline$/.test(pathname)) {
      return new Response("not found", { status: 404 });
    }
    roundTrips++;
    // Read before the wait: if the client leaves meanwhile, the body cannot be read afterwards.
    const text = await request.text().catch(() => null);
    if (text === null) return new Response("the client has gone", { status: 400 });
    if (options.latency) await new Promise((resolve) => setTimeout(resolve, options.latency));
    if (options.token && request.headers.get("authorization") !== `Bearer ${options.token}`) {
      return new Response("unauthorized", { status: 401 });
    }
    const body: PipelineRequest = JSON.parse(text);
    return pipeline(body);
  }

  /** Has no `await`, so that pipelines run one after the other, each on its own connection. */
  function pipeline({ baton, requests }: PipelineRequest): Response {
    const stream = baton ? open.get(baton) : idle.pop() ?? new Stream(options.path);
    if (!stream) {
      return Response.json({ message: "The stream has expired", code: "STREAM_EXPIRED" }, { status: 400 });
    }
    if (baton) open.delete(baton);
    const results = requests.map((request) => stream.answer(request));
    if (stream.closed) {
      stream.reset();
      idle.push(stream);
      return Response.json({ baton: null, base_url: null, results });
    }
    const next = crypto.randomUUID();
    open.set(next, stream);
    return Response.json({ baton: next, base_url: null, results });
  }

  const listening = Promise.withResolvers<string>();
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: options.port ?? 0,
    onListen: ({ port }) => listening.resolve(`http://127.0.0.1:${port}`),
  }, handle);

  return {
    url: await listening.promise,
    roundTrips: () => roundTrips,
    reset: () => {
      roundTrips = 0;
    },
    async close() {
      await server.shutdown();
      for (const stream of [...idle, ...open.values()]) stream.end();
    },
  };
}

if (import.meta.main) {
  const given = new Map<string, string>();
  for (let i = 0; i < Deno.args.length; i += 2) given.set(Deno.args[i] ?? "", Deno.args[i + 1] ?? "");
  const hrana = await startHrana({
    path: given.get("--file") ?? "hrana.db",
    port: Number(given.get("--port") ?? 0),
    token: given.get("--token"),
    latency: Number(given.get("--latency") ?? 0),
  });
  console.log(hrana.url);
}
