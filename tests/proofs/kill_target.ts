/**
 * The targets of a killed service: one listener that fails at random and records what must be equal in each
 * attempt of a delivery.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";

export interface Sent {
  /** Path of the subscription. */
  readonly path: string;
  /** Hash of its body and of its event headers. */
  readonly sum: string;
  attempts: number;
  /** Number of failing attempts before one succeeds. */
  readonly fails: number;
}

export interface Targets {
  readonly url: string;
  /** Received deliveries by id. */
  readonly sent: ReadonlyMap<string, Sent>;
  /** The first moment of `deleted` by path, in epoch milliseconds. */
  readonly ended: ReadonlyMap<string, number>;
  /** From now on the path may receive only requests that are in progress. */
  deleted(path: string): void;
  close(): Promise<void>;
}

/** The only target that never fails. */
export const reliable = "/reliable";
/** The most attempts of a delivery that fail. At the other targets, two in five deliveries fail at first. */
const mostFails = 3;
/** Milliseconds during which requests in progress may still arrive. */
const grace = 2_000;

const eventHeaders = [
  "x-timestamp",
  "x-service-event",
  "x-service-sequence",
  "x-service-executor-user",
  "webhook-id",
];

export function startTargets(): Targets {
  const sent = new Map<string, Sent>();
  const ended = new Map<string, number>();
  const faults: string[] = [];
  const stopping = new AbortController();

  function take(path: string, headers: Headers, body: Uint8Array): Sent {
    const id = headers.get("x-service-delivery")!;
    const hash = createHash("sha256").update(body);
    for (const name of eventHeaders) hash.update(`\n${headers.get(name)}`);
    const sum = hash.digest("hex");
    const known = sent.get(id);
    if (known && (known.sum !== sum || known.path !== path)) {
      faults.push(`${id} arrived with another content at ${path}`);
    }
    const end = ended.get(path);
    const at = Number(headers.get("webhook-timestamp")) * 1000;
    if (end !== undefined && at > end + grace) faults.push(`${id} was sent to ${path} after its deletion`);
    const fails = path === reliable || Math.random() < 0.6 ? 0 : 1 + Math.floor(Math.random() * mostFails);
    const one = known ?? { path, sum, attempts: 0, fails };
    one.attempts++;
    sent.set(id, one);
    return one;
  }

  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {}, onError: () => failure() },
    async (request) => {
      const path = new URL(request.url).pathname;
      const one = take(path, request.headers, new Uint8Array(await request.arrayBuffer()));
      if (one.attempts > one.fails) return new Response("ok");
      if (Math.random() < 0.02) await hang(stopping.signal);
      return failure();
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    sent,
    ended,
    deleted: (path) => void (ended.has(path) || ended.set(path, Date.now())),
    async close() {
      stopping.abort();
      await server.shutdown();
      assert.deepEqual(faults, []);
    },
  };
}

const statuses = [201, 204, 302, 400, 404, 429, 500, 503];

function failure(): Response {
  const status = statuses[Math.floor(Math.random() * statuses.length)]!;
  return new Response(null, { status, headers: { location: "/elsewhere" } });
}

/** Waits longer than the service waits for an answer. */
function hang(stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 6_000);
    stopping.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
