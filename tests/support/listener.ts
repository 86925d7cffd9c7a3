/** A webhook target on loopback: a real HTTP server that records requests and gives the chosen answers. */

/** One request, kept once its body was read and before it was answered. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The body as UTF-8. */
  readonly text: string;
  /** Milliseconds of the system's clock. */
  readonly at: number;
}

/** What to answer: a status alone, or more. */
export type Answer = number | {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Waits before it answers. */
  readonly delayMs?: number;
  /** Sends this many bytes, in pieces, as fast as the receiver takes them. */
  readonly bytes?: number;
  /** Breaks the connection in the middle of the body. */
  readonly breakOff?: true;
} | "hang";

export type Answers = (received: Received, index: number) => Answer | Promise<Answer>;

export interface Target {
  /** The address to subscribe, such as `http://127.0.0.1:41234/hook`. */
  readonly url: string;
  readonly received: readonly Received[];
  /** The most requests that were waiting for their answer at one moment. */
  mostAtOnce(): number;
  /** Sets the answers from now on: in turn, the last one for ever, or those that the function returns. */
  answer(...answers: readonly Answer[] | readonly [Answers]): void;
  /** Waits for the first request, past or to come, for which the predicate is true, and returns it. */
  waitFor(predicate: (received: Received) => boolean, timeoutMs?: number): Promise<Received>;
  /** Waits until at least `count` requests have come, and returns all that have come. */
  waitForCount(count: number, timeoutMs?: number): Promise<readonly Received[]>;
  /** Forgets what was received. */
  clear(): void;
  close(): Promise<void>;
}

export interface TargetOptions {
  readonly path?: string;
  /** As for `answer`; 200 by default. */
  readonly answers?: readonly Answer[];
}

export function startTarget(options: TargetOptions = {}): Target {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const stopping = new AbortController();
  let answers: Answers = inTurn(options.answers ?? [200]);
  let open = 0;
  let most = 0;
  let index = 0;

  async function handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const body = new Uint8Array(await request.arrayBuffer());
    const { method, headers } = request;
    const text = new TextDecoder().decode(body);
    const one = { method, path: url.pathname + url.search, headers, body, text, at: Date.now() };
    received.push(one);
    most = Math.max(most, ++open);
    for (const wake of [...waiting]) wake();
    try {
      return await respond(await answers(one, index++), stopping.signal);
    } finally {
      open--;
    }
  }

  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {}, onError: answerFailure },
    handle,
  );

  function until<T>(look: () => T | null, timeoutMs: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        waiting.delete(wake);
      };
      const wake = () => {
        const found = look();
        if (found === null) return;
        settle();
        resolve(found);
      };
      const timer = setTimeout(() => {
        settle();
        const list = received.map((one) => `${one.method} ${one.path} ${one.text.slice(0, 300)}`).join("\n");
        reject(
          new Error(`nothing fitting came within ${timeoutMs} ms; received ${received.length}:\n${list}`),
        );
      }, timeoutMs);
      waiting.add(wake);
      wake();
    });
  }

  return {
    url: `http://127.0.0.1:${server.addr.port}${options.path ?? "/hook"}`,
    received,
    mostAtOnce: () => most,
    answer(...next) {
      const [first] = next;
      answers = typeof first === "function" ? first : inTurn(next.filter((one) => typeof one !== "function"));
      index = 0;
    },
    waitFor: (predicate, timeoutMs = 10_000) => until(() => received.find(predicate) ?? null, timeoutMs),
    waitForCount: (count, timeoutMs = 10_000) =>
      until(() => (received.length >= count ? received : null), timeoutMs),
    clear() {
      received.length = 0;
    },
    async close() {
      stopping.abort();
      await server.shutdown();
    },
  };
}

function inTurn(answers: readonly Answer[]): Answers {
  return (_received, index) => answers[Math.min(index, answers.length - 1)] ?? 200;
}

async function respond(answer: Answer, stopping: AbortSignal): Promise<Response> {
  if (answer === "hang") {
    await waitForStop(stopping);
    return new Response(null, { status: 503 });
  }
  if (typeof answer === "number") return new Response(null, { status: answer });
  if (answer.delayMs !== undefined) await waitForStop(stopping, answer.delayMs);
  const init = { status: answer.status ?? 200, headers: { ...answer.headers } };
  if (answer.breakOff) return new Response(brokenOff(), init);
  if (answer.bytes !== undefined) return new Response(manyBytes(answer.bytes), init);
  return new Response(answer.body ?? null, init);
}

/** Waits until the target closes, or for at most `atMostMs`. */
function waitForStop(stopping: AbortSignal, atMostMs?: number): Promise<void> {
  return new Promise((resolve) => {
    if (stopping.aborted) return resolve();
    const timer = atMostMs === undefined ? undefined : setTimeout(done, atMostMs);
    function done() {
      clearTimeout(timer);
      stopping.removeEventListener("abort", done);
      resolve();
    }
    stopping.addEventListener("abort", done);
  });
}

function manyBytes(count: number): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(65_536).fill(97);
  let left = count;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(piece.subarray(0, Math.min(left, piece.length)));
      left -= piece.length;
      if (left <= 0) controller.close();
    },
  });
}

function brokenOff(): ReadableStream<Uint8Array> {
  let pulled = false;
  return new ReadableStream({
    pull(controller) {
      if (pulled) return controller.error(new Error("broken off"));
      pulled = true;
      controller.enqueue(new TextEncoder().encode("half an ans"));
    },
  });
}

/** Answers a client that is gone, or that hung up while it waited. */
function answerFailure(): Response {
  return new Response(null, { status: 500 });
}
