import { listTokens, makeTokenColumns } from "../../src/delivery/webhooks/sign.ts";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { removeOldDeliveries } from "../../src/delivery/webhooks/expire.ts";
import { open } from "../../src/platform/crypto.ts";
import type { Received } from "../support/listener.ts";
import { type Hooks, hour, minute, standardHeaders, withHooks } from "./webhook_world.ts";

const keys = [
  "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
  "AAECAwQFBgcICQoLDA0ODxAR",
];
const [first, second, third] = keys.map((key) => `whsec_${key}`) as [string, string, string];

/** Returns the tokens that a request is signed with, according to both libraries. */
function signedWith(sent: Received, tokens: readonly string[]): string[] {
  return tokens.filter((token) => {
    const verdicts = [new Webhook(token), new SvixWebhook(token)].map((library) => {
      try {
        library.verify(sent.text, standardHeaders(sent));
        return true;
      } catch {
        return false;
      }
    });
    assert.equal(verdicts[0], verdicts[1]);
    return verdicts[0]!;
  });
}

/** Returns the tokens that the documented hash is made with. */
function hashedWith({ body, headers }: Received, tokens: readonly string[]): string[] {
  const hash = headers.get("x-service-verification-hash");
  const of = (token: string) => createHash("sha1").update(Buffer.from(body)).update(token).digest("hex");
  return tokens.filter((token) => of(token) === hash);
}

const all = [first, second, third];

/** Causes an event. Returns the tokens that its request is signed and hashed with. */
async function next({ target, happens }: Hooks): Promise<{ signed: string[]; hashed: string[] }> {
  const before = target.received.length;
  await happens();
  assert.equal(target.received.length, before + 1);
  const sent = target.received.at(-1)!;
  return { signed: signedWith(sent, all), hashed: hashedWith(sent, all) };
}

/** Sets the clock to today, because the libraries refuse signatures of another day. */
function today({ app }: Hooks): void {
  app.clock.set(Date.now());
}

/** Moves the clock, and makes the libraries use the same time. */
async function after<T>(hooks: Hooks, milliseconds: number, use: () => Promise<T>): Promise<T> {
  const { now } = Date;
  hooks.app.clock.move(milliseconds);
  const ahead = hooks.app.clock.now() - now();
  Date.now = () => now() + ahead;
  try {
    return await use();
  } finally {
    Date.now = now;
  }
}

withHooks(
  "for 24 hours after a rotation both tokens sign, and the hash is made with the new one",
  async (hooks) => {
    const { subscribe, call } = hooks;
    today(hooks);
    const { id } = await subscribe({ verification_token: first });
    assert.deepEqual(await next(hooks), { signed: [first], hashed: [first] });
    const changed = await call(200, "PUT", `/v1/webhooks/${id}`, { verification_token: second });
    assert.equal(changed.verification_token, second);
    assert.deepEqual(await next(hooks), { signed: [first, second], hashed: [second] });
    await after(hooks, 24 * hour - 1, async () => {
      assert.deepEqual(await next(hooks), { signed: [first, second], hashed: [second] });
    });
    await after(hooks, 1, async () => {
      assert.deepEqual(await next(hooks), { signed: [second], hashed: [second] });
    });
  },
);

withHooks("a delivery from before a rotation is signed with the tokens of its sending", async (hooks) => {
  const { target, subscribe, happens, later, call } = hooks;
  today(hooks);
  const { id } = await subscribe({ verification_token: first });
  target.answer(500, 200);
  await happens();
  await call(200, "PUT", `/v1/webhooks/${id}`, { verification_token: second });
  await after(hooks, 0, async () => {
    await later(minute);
    assert.deepEqual(target.received.map((sent) => signedWith(sent, all)), [[first], [first, second]]);
  });
});

withHooks(
  "rotated twice within 24 hours, each token signs for 24 hours after it was replaced",
  async (hooks) => {
    const { subscribe, call } = hooks;
    today(hooks);
    const { id } = await subscribe({ verification_token: first });
    const rotate = (verification_token: string) =>
      call(200, "PUT", `/v1/webhooks/${id}`, { verification_token });
    await rotate(second);
    hooks.app.clock.move(hour);
    await rotate(third);
    await after(hooks, 0, async () => {
      assert.deepEqual(await next(hooks), { signed: [first, second, third], hashed: [third] });
    });
    await after(hooks, 23 * hour, async () => {
      assert.deepEqual(await next(hooks), { signed: [second, third], hashed: [third] });
    });
    await after(hooks, hour, async () => {
      assert.deepEqual(await next(hooks), { signed: [third], hashed: [third] });
    });
  },
);

withHooks(
  "the same token again changes nothing; a returning one signs once",
  async (hooks) => {
    const { target, subscribe, call } = hooks;
    today(hooks);
    const { id } = await subscribe({ verification_token: first });
    const rotate = (verification_token: string) =>
      call(200, "PUT", `/v1/webhooks/${id}`, { verification_token });
    await rotate(second);
    await rotate(second);
    assert.deepEqual(await next(hooks), { signed: [first, second], hashed: [second] });
    await rotate(first);
    assert.deepEqual(await next(hooks), { signed: [first, second], hashed: [first] });
    assert.equal(target.received.at(-1)!.headers.get("webhook-signature")!.split(" ").length, 2);
    await after(hooks, 25 * hour, async () => {
      assert.deepEqual(await next(hooks), { signed: [first], hashed: [first] });
    });
  },
);

withHooks(
  "a removed token stops signing immediately, and so do its predecessors",
  async (hooks) => {
    const { target, subscribe, call, happens } = hooks;
    today(hooks);
    const { id } = await subscribe({ verification_token: first });
    await call(200, "PUT", `/v1/webhooks/${id}`, { verification_token: second });
    const bare = await call(200, "PUT", `/v1/webhooks/${id}`, { verification_token: null });
    assert.equal(bare.verification_token, null);
    await happens();
    const names = [...target.received.at(-1)!.headers.keys()];
    assert.deepEqual(names.filter((name) => /^webhook-|hash/.test(name)), []);
    await call(200, "PUT", `/v1/webhooks/${id}`, { verification_token: third });
    assert.deepEqual(await next(hooks), { signed: [third], hashed: [third] });
  },
);

withHooks("at most the five latest tokens sign", async (hooks) => {
  const { target, subscribe, call, happens } = hooks;
  const { id } = await subscribe({ verification_token: "t0" });
  for (let n = 1; n < 9; n++) await call(200, "PUT", `/v1/webhooks/${id}`, { verification_token: `t${n}` });
  await happens();
  const sent = target.received.at(-1)!;
  assert.equal(sent.headers.get("webhook-signature")!.split(" ").length, 5);
  assert.deepEqual(hashedWith(sent, ["t7", "t8"]), ["t8"]);
});

withHooks(
  "tokens are stored sealed, and previous ones only while they sign",
  async (hooks) => {
    const { app, subscribe, call } = hooks;
    const { id } = await subscribe({ verification_token: "a first secret" });
    await call(200, "PUT", `/v1/webhooks/${id}`, { verification_token: "a second secret" });
    const [row] = await app.sql("select verification_token, previous_token from webhooks");
    assert.ok(!JSON.stringify(row).includes("secret"));
    assert.equal(open(app.deps.secretsKey, String(row!.verification_token)), "a second secret");
    assert.match(open(app.deps.secretsKey, String(row!.previous_token)), /^\[\["a first secret",\d+\]\]$/);
    app.clock.move(24 * hour);
    await removeOldDeliveries(app.deps, app.clock.now());
    assert.deepEqual(await app.sql("select previous_token, previous_token_until from webhooks"), [
      { previous_token: null, previous_token_until: null },
    ]);
  },
);

Deno.test("a token replaced while the clock was ten days ahead does not sign once the clock is right", () => {
  const key = new Uint8Array(32);
  const now = Date.UTC(2026, 2, 2);
  const none = { verification_token: null, previous_token: null, previous_token_until: null };
  const ahead = now + 240 * hour;
  const row = makeTokenColumns(key, makeTokenColumns(key, none, first, ahead), second, ahead);
  assert.deepEqual(listTokens(key, row, ahead), [second, first]);
  assert.deepEqual(listTokens(key, row, now), [second]);
});
