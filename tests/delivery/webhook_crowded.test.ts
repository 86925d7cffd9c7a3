/** Targets that never answer use up all requests that a sender may have. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { startTarget } from "../support/listener.ts";
import { measureUntilGood } from "../support/measured.ts";

/** The number of silent targets. With ten requests each, they take all requests that a sender may have. */
const silent = 200;

/** Servers that take connections and never answer. Each has a port, as one host and port has 100 connections. */
function startSilent(count: number): { urls: string[]; close(): void } {
  const listeners = Array.from({ length: count }, () => Deno.listen({ hostname: "127.0.0.1", port: 0 }));
  const taken: Deno.Conn[] = [];
  for (const listener of listeners) {
    (async () => {
      for await (const connection of listener) taken.push(connection);
    })();
  }
  return {
    urls: listeners.map(({ addr }) => `http://127.0.0.1:${addr.port}/hook`),
    close() {
      for (const open of [...listeners, ...taken]) open.close();
    },
  };
}

Deno.test("a target that answers gets its events at once, several at a time, beside 200 that never answer", async () => {
  await using app = await startApp({ WEBHOOK_LIMIT: String(silent) });
  const [crowd, other] = [(await app.company()).admin, (await app.company()).admin];
  const targets = startSilent(silent);
  const quick = startTarget();
  try {
    const event = {
      webhook_event: "team_created",
      verification_token: "a token that only the two of us know",
    };
    for (const target_url of targets.urls) {
      const made = await crowd.call("POST", "/v1/webhooks", { ...event, target_url });
      assert.equal(made.status, 201, made.text);
    }
    assert.equal(
      (await other.call("POST", "/v1/webhooks", { ...event, target_url: quick.url })).status,
      201,
    );
    for (let n = 0; n < 12; n++) await crowd.call("POST", "/v1/teams", { name: `Team ${n}` });
    // Waits until the crowd has all the requests that it can get.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    let events = 0;
    // On a busy machine the call itself takes long, too.
    const soon = ({ call, event }: { call: number; event: number }) => event < Math.max(1_500, 4 * call);
    const took = await measureUntilGood(async () => {
      const began = performance.now();
      assert.equal((await other.call("POST", "/v1/teams", { name: "Team" })).status, 201);
      const call = performance.now() - began;
      await quick.waitForCount(++events, 20_000);
      return { call, event: performance.now() - began };
    }, soon);
    assert.ok(soon(took), `its event came after ${Math.round(took.event)} ms`);
    quick.answer({ delayMs: 100 });
    const teams = Array.from(
      { length: 40 },
      (_, n) => other.call("POST", "/v1/teams", { name: `More ${n}` }),
    );
    await Promise.all(teams);
    await quick.waitForCount(events + 40, 20_000);
    assert.ok(quick.mostAtOnce() >= 5, `${quick.mostAtOnce()} at once`);
  } finally {
    targets.close();
    await quick.close();
  }
});
