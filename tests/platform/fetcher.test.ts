import assert from "node:assert/strict";
import { type Fetcher, FetchFailed } from "../../src/platform/fetcher.ts";
import { makeNodeFetcher } from "../../src/platform/fetcher_node.ts";
import { makeWebFetcher } from "../../src/platform/fetcher_web.ts";
import { startTarget, type Target } from "../support/listener.ts";

const post = {
  headers: { "content-type": "application/json", "x-service-event": "webhook_test" },
  body: '{"ü":1}',
};

const drivers: [name: string, make: (allowPrivate: boolean) => Fetcher & { close?: () => void }][] = [
  ["node", (allowPrivate) => makeNodeFetcher({ allowPrivate })],
  ["web", (allowPrivate) => makeWebFetcher({ allowPrivate })],
];

for (const [name, make] of drivers) {
  const withTarget = (rule: string, test: (fetcher: Fetcher, target: Target) => Promise<void>) =>
    // the runtime's fetch keeps its connections open after the test
    Deno.test(
      { name: `${name}: ${rule}`, sanitizeResources: name === "node", sanitizeOps: name === "node" },
      async () => {
        const target = startTarget();
        const fetcher = make(true);
        try {
          await test(fetcher, target);
        } finally {
          fetcher.close?.();
          await target.close();
        }
      },
    );

  withTarget("a POST sends its headers and body and returns the answer", async (fetcher, target) => {
    target.answer({ status: 410, headers: { "retry-after": "30" }, body: "grün" });
    const answer = await fetcher.post(`${target.url}?a=1`, post);
    assert.equal(answer.status, 410);
    assert.equal(answer.bodyExcerpt, "grün");
    assert.equal(answer.headers.get("retry-after"), "30");
    assert.ok(answer.durationMs >= 0 && answer.durationMs < 5000);
    const [received] = target.received;
    assert.equal(received?.method, "POST");
    assert.equal(received?.path, "/hook?a=1");
    assert.equal(received?.text, '{"ü":1}');
    assert.equal(received?.headers.get("x-service-event"), "webhook_test");
    assert.equal(received?.headers.get("content-length"), "8");
  });

  withTarget(
    "a GET sends its headers and no body, and follows no redirect",
    async (fetcher, target) => {
      target.answer({ status: 302, headers: { location: `${target.url}/further` }, body: "grün" });
      const answer = await fetcher.get(`${target.url}?a=1`, { headers: { accept: "application/json" } });
      assert.deepEqual([answer.status, answer.bodyExcerpt], [302, "grün"]);
      const [received, ...more] = target.received;
      assert.deepEqual(more, []);
      assert.deepEqual([received?.method, received?.path, received?.text], ["GET", "/hook?a=1", ""]);
      assert.equal(received?.headers.get("accept"), "application/json");
    },
  );

  withTarget("a redirect is an answer and is not followed", async (fetcher, target) => {
    target.answer({ status: 307, headers: { location: `${target.url}/further` } });
    const answer = await fetcher.post(target.url, post);
    assert.equal(answer.status, 307);
    assert.equal(answer.headers.get("location"), `${target.url}/further`);
    assert.equal(target.received.length, 1);
  });

  withTarget("a late answer is a timeout", async (fetcher, target) => {
    target.answer("hang");
    await assert.rejects(fetcher.post(target.url, { ...post, timeoutMs: 100 }), (error) => {
      assert.ok(error instanceof FetchFailed);
      assert.equal(error.reason, "timeout");
      assert.ok(error.durationMs >= 95 && error.durationMs < 2000, String(error.durationMs));
      return true;
    });
  });

  withTarget(
    "a reused connection also times out and is released, and the request is not repeated",
    async (fetcher, target) => {
      // More than the connections to one target.
      for (let n = 0; n < 35; n++) {
        target.answer({ status: 200 });
        await fetcher.post(target.url, post);
        target.answer("hang");
        await assert.rejects(fetcher.post(target.url, { ...post, timeoutMs: 20 }), { reason: "timeout" });
      }
      target.answer({ status: 200 });
      assert.equal((await fetcher.post(target.url, post)).status, 200);
      assert.ok(target.received.length <= 71, String(target.received.length));
    },
  );

  withTarget("a body is read only up to its limit", async (fetcher, target) => {
    target.answer({ bytes: 50_000_000 });
    const answer = await fetcher.post(target.url, { ...post, maxBytes: 1000 });
    assert.equal(answer.status, 200);
    assert.equal(answer.bodyExcerpt.length, 1000);
    assert.equal((await fetcher.post(target.url, post)).bodyExcerpt.length, 65_536);
  });

  withTarget("a truncated body keeps the status", async (fetcher, target) => {
    target.answer({ status: 200, breakOff: true });
    assert.equal((await fetcher.post(target.url, post)).status, 200);
  });

  withTarget("a missing target is unreachable", async (fetcher, target) => {
    await target.close();
    await assert.rejects(fetcher.post(target.url, post), (error) => {
      assert.ok(error instanceof FetchFailed);
      assert.equal(error.reason, "unreachable");
      assert.doesNotMatch(error.message, /\n|file:/);
      return true;
    });
  });

  withTarget("many simultaneous posts arrive", async (fetcher, target) => {
    const answers = await Promise.all(Array.from({ length: 500 }, () => fetcher.post(target.url, post)));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal(target.received.length, 500);
  });

  Deno.test(`${name}: a private address is refused before anything is sent, unless allowed`, async () => {
    const target = startTarget();
    const fetcher = make(false);
    for (const url of [target.url, target.url.replace("127.0.0.1", "localhost"), "ftp://example.com/"]) {
      for (const call of [() => fetcher.post(url, post), () => fetcher.get(url, post)]) {
        await assert.rejects(call, (error) => {
          assert.ok(error instanceof FetchFailed);
          assert.equal(error.reason, "refused");
          return true;
        });
      }
    }
    assert.equal(target.received.length, 0);
    fetcher.close?.();
    await target.close();
  });
}

Deno.test("the connection uses the resolved address under the requested name", async () => {
  const target = startTarget();
  const asked: string[] = [];
  const resolve = (name: string) => {
    asked.push(name);
    return Promise.resolve(["127.0.0.1"]);
  };
  const fetcher = makeNodeFetcher({ allowPrivate: true, resolve });
  const url = target.url.replace("127.0.0.1", "hooks.example.com");
  for (let n = 0; n < 5; n++) assert.equal((await fetcher.post(url, post)).status, 200);
  assert.deepEqual(asked, ["hooks.example.com"], "one connection, resolved once");
  assert.equal(target.received[0]?.headers.get("host"), new URL(url).host);
  fetcher.close();
  await target.close();
});

Deno.test("a name with any private address is refused, and nothing is sent", async () => {
  const target = startTarget();
  const url = target.url.replace("127.0.0.1", "hooks.example.com");
  for (
    const addresses of [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::ffff:127.0.0.1"], [
      "fd00:ec2::254",
    ]]
  ) {
    const fetcher = makeNodeFetcher({ allowPrivate: false, resolve: () => Promise.resolve(addresses) });
    await assert.rejects(fetcher.post(url, post), (error) => {
      assert.ok(error instanceof FetchFailed);
      assert.equal(error.reason, "refused", error.message);
      return true;
    });
    fetcher.close();
  }
  assert.equal(target.received.length, 0);
  await target.close();
});

Deno.test("a name that is not found is unreachable", async () => {
  const failing = [
    () => Promise.reject(Object.assign(new Error("queryA"), { code: "ENOTFOUND" })),
    () => Promise.resolve([]),
  ];
  for (const resolve of failing) {
    const fetcher = makeNodeFetcher({ allowPrivate: false, resolve });
    await assert.rejects(fetcher.post("http://gone.example.com/", post), (error) => {
      assert.ok(error instanceof FetchFailed);
      assert.equal(error.message, "the target cannot be reached: host name not found");
      return true;
    });
    fetcher.close();
  }
});

Deno.test("an idle connection that the target closed is replaced without a failure", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const fetcher = makeNodeFetcher({ allowPrivate: true });
  let connections = 0;
  const serving = (async () => {
    for await (const connection of listener) {
      connections += 1;
      const buffer = new Uint8Array(4096);
      await connection.read(buffer);
      await connection.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"));
      // The next request on this connection is accepted, then reset.
      if (connections === 1) {
        connection.read(buffer).then(() => connection.close());
      } else connection.close();
    }
  })();
  const url = `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}/`;
  assert.equal((await fetcher.post(url, post)).status, 200);
  assert.equal((await fetcher.post(url, post)).status, 200);
  assert.equal(connections, 2);
  fetcher.close();
  listener.close();
  await serving;
});

Deno.test("an invalid header fails only its own post", async () => {
  const fetcher = makeNodeFetcher({ allowPrivate: true });
  await assert.rejects(
    fetcher.post("http://127.0.0.1:9/", { headers: { "x-a": "a\r\nb: c" }, body: "" }),
    FetchFailed,
  );
  fetcher.close();
});
