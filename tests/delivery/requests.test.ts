import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { deliverDue } from "../../src/delivery/webhooks/deliver.ts";
import type { Received } from "../support/listener.ts";
import { minute, monday } from "./company.ts";
import { withTarget } from "./target.ts";

const body = '{"id":"1","name":"Zoë – „quoted“ \\u2028 €"}';

function standardHeaders({ headers }: Received): Record<string, string> {
  return Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, headers.get(name) ?? ""]),
  );
}

withTarget(
  "a delivery is a POST of the event's body with the documented headers",
  async (company, target) => {
    await company.subscribe(target.url);
    await company.happens({ name: "account_updated", entity: "e1", body, executor: company.userId });
    company.clock.move(90_000);
    assert.equal(await deliverDue(company.deps), 1);
    const [one] = target.received;
    const [{ id } = {}] = await company.rows("select id from deliveries");
    assert.equal(one?.method, "POST");
    assert.equal(one.text, body);
    const sent = Object.fromEntries(one.headers);
    for (
      const name of ["host", "connection", "content-length", "accept", "accept-encoding"]
    ) delete sent[name];
    assert.deepEqual(sent, {
      "content-type": "application/json",
      "user-agent": "Wayline-CRM/1.0",
      "x-timestamp": "2026-03-02 09:00:00",
      "x-service-event": "account_updated",
      "x-service-sequence": "1",
      "x-service-delivery": id,
      "x-service-executor-user": String(company.userId),
    });
  },
);

withTarget("an event of a timer names no acting user", async (company, target) => {
  await company.subscribe(target.url);
  await company.happens({});
  await deliverDue(company.deps);
  assert.equal(target.received[0]?.headers.get("x-service-executor-user"), null);
});

withTarget("the sequence counts the events of one entity", async (company, target) => {
  await company.subscribe(target.url);
  await company.happens({ entity: "a" }, { entity: "a" }, { entity: "b" });
  await company.happens({ entity: "a" });
  await deliverDue(company.deps);
  const seen = target.received.map(({ headers, text }) => `${text} ${headers.get("x-service-sequence")}`);
  assert.deepEqual(seen.toSorted(), ['{"id":"a"} 1', '{"id":"a"} 2', '{"id":"a"} 3', '{"id":"b"} 1']);
});

withTarget("with a token, the hash is the SHA-1 of body and token", async (company, target) => {
  await company.subscribe(target.url, "grün & geheim");
  await company.happens({ body });
  await deliverDue(company.deps);
  const [one] = target.received;
  const expected = createHash("sha1").update(Buffer.from(one!.body)).update("grün & geheim").digest("hex");
  assert.equal(one!.headers.get("x-service-verification-hash"), expected);
});

withTarget(
  "a signature uses the token's bytes and is made for each attempt",
  async (company, target) => {
    company.clock.set(Date.now()); // the library refuses signatures of another day
    await company.subscribe(target.url, "grün & geheim");
    await company.happens({ body });
    target.answer(500, 200);
    await deliverDue(company.deps);
    company.clock.move(minute);
    await deliverDue(company.deps);
    assert.equal(target.received.length, 2);
    const verifier = new Webhook(new TextEncoder().encode("grün & geheim"), { format: "raw" });
    for (const one of target.received) {
      verifier.verify(one.text, standardHeaders(one));
      assert.equal(one.headers.get("webhook-id"), one.headers.get("x-service-delivery"));
      assert.throws(() => verifier.verify(one.text.replace("Z", "z"), standardHeaders(one)));
    }
    const [first, second] = target.received.map(({ headers }) => Number(headers.get("webhook-timestamp")));
    assert.equal(second! - first!, 60);
  },
);

withTarget("a token that begins with whsec_ holds its key in base64", async (company, target) => {
  company.clock.set(Date.now());
  const token = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  await company.subscribe(target.url, token);
  await company.happens({ body });
  await deliverDue(company.deps);
  const [one] = target.received;
  new Webhook(token).verify(one!.text, standardHeaders(one!));
  const expected = createHash("sha1").update(Buffer.from(one!.body)).update(token).digest("hex");
  assert.equal(one!.headers.get("x-service-verification-hash"), expected);
});

withTarget("without a token nothing is signed", async (company, target) => {
  await company.subscribe(target.url);
  await company.happens({});
  await deliverDue(company.deps);
  const names = [...target.received[0]!.headers.keys()];
  assert.deepEqual(names.filter((name) => /signature|hash|^webhook-/.test(name)), []);
});

withTarget("the events of one entity arrive in their order", async (company, target) => {
  await company.subscribe(target.url);
  target.answer((_, index) => ({ delayMs: index % 3 }));
  await company.happens(...Array.from({ length: 60 }, (_, n) => ({ entity: `e${n % 4}` })));
  await deliverDue(company.deps);
  assert.equal(target.received.length, 60);
  const last = new Map<string, number>();
  for (const { text, headers } of target.received) {
    const sequence = Number(headers.get("x-service-sequence"));
    assert.equal(sequence, (last.get(text) ?? 0) + 1);
    last.set(text, sequence);
  }
});

withTarget("an event from before the subscription is not sent to it", async (company, target) => {
  await company.happens({});
  await company.subscribe(target.url);
  await company.happens({ body: '"after"' });
  await deliverDue(company.deps, monday + minute);
  assert.deepEqual(target.received.map(({ text }) => text), ['"after"']);
});
