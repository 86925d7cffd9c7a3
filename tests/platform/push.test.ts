import assert from "node:assert/strict";
import { makeNodeFetcher } from "../../src/platform/fetcher_node.ts";
import { makeFcmPusher } from "../../src/platform/push/fcm.ts";
import { type Push, type Pusher, PushFailed } from "../../src/platform/push/push.ts";
import { type Fcm, makeRefusal, startFcm } from "../support/fcm.ts";
import { movableClock } from "../support/ports.ts";

const start = Date.UTC(2026, 2, 2, 9);
const push: Push = { token: "device:1", title: "New", body: "Hello", data: { type: "custom" } };

interface World {
  readonly fcm: Fcm;
  readonly pusher: Pusher;
  readonly clock: ReturnType<typeof movableClock>;
  with(account: Partial<Fcm["account"]>): Pusher;
}

function pushing(name: string, test: (world: World) => Promise<void>): void {
  Deno.test(name, async () => {
    await using fcm = await startFcm();
    const clock = movableClock(start);
    fcm.now = () => clock.now();
    const fetcher = makeNodeFetcher({ allowPrivate: true });
    const makePusher = (more: Partial<Fcm["account"]>) =>
      makeFcmPusher({ account: { ...fcm.account, ...more }, fetcher, clock, url: fcm.url });
    try {
      await test({ fcm, clock, pusher: makePusher({}), with: makePusher });
    } finally {
      fetcher.close();
    }
  });
}

/** Returns the kind of failure. */
async function readFailure(pusher: Pusher): Promise<string> {
  try {
    await pusher.send(push);
  } catch (error) {
    assert.ok(error instanceof PushFailed, String(error));
    return `${error.failure}: ${error.message}`;
  }
  throw new Error("it was sent");
}

pushing(
  "a message is sent with the service account's access token, with title, body and data",
  async ({ fcm, pusher }) => {
    assert.equal(await pusher.send(push), "sent");
    assert.deepEqual(fcm.pushes, [{
      token: "device:1",
      notification: { title: "New", body: "Hello" },
      data: { type: "custom" },
      android: { priority: "high" },
      apns: { payload: { aps: { sound: "default" } } },
    }]);
  },
);

pushing(
  "one access token an hour serves all messages, and is renewed when the service rejects it",
  async ({ fcm, pusher, clock }) => {
    await Promise.all(Array.from({ length: 5 }, () => pusher.send(push)));
    clock.move(3_530_000);
    await pusher.send(push);
    assert.deepEqual(fcm.asked, { admissions: 1, messages: 6 });
    clock.move(10_000);
    await pusher.send(push);
    assert.equal(fcm.asked.admissions, 2);
    fcm.forget();
    assert.match(await readFailure(pusher), /^server: 401/);
    assert.equal(await pusher.send(push), "sent");
    assert.equal(fcm.asked.admissions, 3);
  },
);

pushing(
  "an unknown device is reported as unregistered, any other 404 is not",
  async ({ fcm, pusher }) => {
    fcm.answer = () => makeRefusal(404, "UNREGISTERED");
    assert.equal(await pusher.send(push), "unregistered");
    fcm.answer = () => makeRefusal(404, "NOT_FOUND");
    assert.equal(await readFailure(pusher), "deferred: 404 It is NOT_FOUND.");
    fcm.answer = () => new Response("<html>", { status: 404 });
    assert.equal(await readFailure(pusher), "deferred: 404");
  },
);

pushing(
  "a fault of the message ends it, a fault of the service does not",
  async ({ fcm, pusher }) => {
    const faults: [number, string, string][] = [
      [400, "INVALID_ARGUMENT", "refused"],
      [403, "SENDER_ID_MISMATCH", "refused"],
      [401, "THIRD_PARTY_AUTH_ERROR", "server"],
      [429, "QUOTA_EXCEEDED", "server"],
      [500, "INTERNAL", "server"],
      [503, "UNAVAILABLE", "server"],
    ];
    for (const [status, code, failure] of faults) {
      fcm.answer = () => makeRefusal(status, code);
      assert.equal(await readFailure(pusher), `${failure}: ${status} It is ${code}.`);
    }
  },
);

pushing("a refused login reports the reason, and the next message tries again", async (world) => {
  const stranger = await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      hash: "SHA-256",
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
    },
    true,
    ["sign", "verify"],
  );
  const der = new Uint8Array(await crypto.subtle.exportKey("pkcs8", stranger.privateKey));
  const unknown = world.with({
    private_key: `-----BEGIN PRIVATE KEY-----${der.toBase64()}-----END PRIVATE KEY-----`,
  });
  const refused = "server: the service account was refused: 400 Bad signature";
  assert.equal(await readFailure(unknown), refused);
  assert.equal(await readFailure(unknown), refused);
  assert.equal(world.fcm.asked.admissions, 2);
  assert.match(await readFailure(world.with({ private_key: "PRIVATE KEY" })), /^server: the private key/);
  assert.match(await readFailure(world.with({ token_uri: "http://127.0.0.1:9/token" })), /^server: /);
});
