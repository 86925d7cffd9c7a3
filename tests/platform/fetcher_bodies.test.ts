import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { type Fetcher, FetchFailed } from "../../src/platform/fetcher.ts";
import { makeNodeFetcher } from "../../src/platform/fetcher_node.ts";
import { makeWebFetcher } from "../../src/platform/fetcher_web.ts";

const most = 65_536;
/** The bytes that buffers of a machine may hold in addition: far less than the server offers. */
const onTheWay = 8_000_000;
const post = { headers: {}, body: "{}" };
const ok = "HTTP/1.1 200 OK\r\n";

interface Server {
  readonly url: string;
  /** Bytes that the client took. */
  written(): number;
  /** Waits until every connection has ended. Fails when one stays open. */
  close(): Promise<void>;
}

/** Yields pieces of an answer and milliseconds to wait. Stops when the client disconnects. */
type Answer = () => Generator<string | Uint8Array | number>;

/** Answers each request with these raw bytes. */
function serve(answer: Answer): Server {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let written = 0;
  const serving = (async () => {
    const connections: Promise<void>[] = [];
    for await (const connection of listener) connections.push(respond(connection));
    await Promise.all(connections);
  })();

  async function respond(connection: Deno.Conn): Promise<void> {
    try {
      await connection.read(new Uint8Array(4096));
      for (const piece of answer()) {
        if (typeof piece === "number") await pause(piece);
        else {
          const bytes = typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
          for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
          written += bytes.length;
        }
      }
    } catch {
      // The client has disconnected.
    } finally {
      connection.close();
    }
  }

  const { port } = listener.addr as Deno.NetAddr;
  let closed = false;
  return {
    url: `http://127.0.0.1:${port}/`,
    written: () => written,
    async close() {
      if (!closed) listener.close();
      closed = true;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error("a connection is still open")), 30_000);
      });
      await Promise.race([serving, late]).finally(() => clearTimeout(timer));
    },
  };
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
const piece = "a".repeat(16_384);

const bomb = gzipSync(new Uint8Array(16_000_000).fill(97));

function* endless(head: string, part: string | Uint8Array): Generator<string | Uint8Array> {
  yield head;
  for (;;) yield part;
}

const drivers: [name: string, make: () => Fetcher & { close?: () => void }][] = [
  ["node", () => makeNodeFetcher({ allowPrivate: true })],
  ["web", () => makeWebFetcher({ allowPrivate: true })],
];

for (const [name, make] of drivers) {
  const answering = (
    rule: string,
    answer: Answer,
    test: (fetcher: Fetcher, server: Server) => Promise<void>,
  ) =>
    // The runtime's fetch keeps its connections open after the test.
    Deno.test(
      { name: `${name}: ${rule}`, sanitizeResources: name === "node", sanitizeOps: name === "node" },
      async () => {
        const server = serve(answer);
        const fetcher = make();
        try {
          await test(fetcher, server);
        } finally {
          fetcher.close?.();
          await server.close();
        }
      },
    );

  for (
    const [how, head, part] of [
      ["of a length of its own", `${ok}content-length: 1099511627776\r\n\r\n`, piece],
      ["in chunks", `${ok}transfer-encoding: chunked\r\n\r\n`, `4000\r\n${piece}\r\n`],
      ["until the connection ends", `${ok}\r\n`, piece],
    ] as const
  ) {
    answering(
      `an answer without an end, ${how}, is read to 64 KiB`,
      () => endless(head, part),
      async (fetcher, server) => {
        const answer = await fetcher.post(server.url, post);
        assert.deepEqual([answer.status, answer.bodyExcerpt], [200, "a".repeat(most)]);
        await server.close();
        assert.ok(server.written() < onTheWay, `${server.written()} bytes were taken`);
      },
    );
  }

  answering("a dripping body keeps its status and is not awaited", function* () {
    yield `${ok}content-length: 1000000\r\n\r\n`;
    for (;;) yield* ["a", 20];
  }, async (fetcher, server) => {
    const { status, bodyExcerpt, durationMs } = await fetcher.post(server.url, { ...post, timeoutMs: 300 });
    assert.equal(status, 200);
    assert.match(bodyExcerpt, /^a{1,16}$/);
    assert.ok(durationMs < 2_000, `${durationMs} ms`);
  });

  answering("a dripping head is no answer", function* () {
    yield ok;
    for (;;) yield* ["x-a: b\r\n", 20];
  }, async (fetcher, server) => {
    await assert.rejects(fetcher.post(server.url, { ...post, timeoutMs: 300 }), { reason: "timeout" });
  });

  answering(
    "an endless head is no answer",
    () => endless(ok, `x-a: ${piece}\r\n`),
    async (fetcher, server) => {
      await assert.rejects(fetcher.post(server.url, { ...post, timeoutMs: 1_000 }), FetchFailed);
      await server.close();
      assert.ok(server.written() < onTheWay, `${server.written()} bytes were taken`);
    },
  );

  answering(
    "an endless compressed answer is unpacked to 64 KiB at most",
    // Each piece is sixteen megabytes of the letter a.
    () => endless(`${ok}content-encoding: gzip\r\n\r\n`, bomb),
    async (fetcher, server) => {
      const { status, bodyExcerpt, durationMs } = await fetcher.post(server.url, post);
      assert.equal(status, 200);
      assert.ok(bodyExcerpt.length <= most, String(bodyExcerpt.length));
      assert.ok(durationMs < 2_000, `${durationMs} ms`);
      await server.close();
      assert.ok(server.written() < onTheWay, `${server.written()} bytes were taken`);
    },
  );
}
