import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Webhook as Standard } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { deliverDue } from "../../src/delivery/webhooks/deliver.ts";
import type { Received, Target } from "../support/listener.ts";
import { type Company, minute } from "./company.ts";
import { withTarget } from "./target.ts";

/** Two libraries with independent implementations. */
interface Verifier {
  verify(payload: string, headers: Record<string, string>): unknown;
}

const secret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** Tokens, each with the key that its receiver uses: a secret in the form of the standard, or bytes. */
const tokens: readonly (readonly [token: string, key: string | Uint8Array])[] = [
  [`whsec_${secret}`, `whsec_${secret}`],
  ["s3cret", bytes("s3cret")],
  ["grün & geheim – 秘密", bytes("grün & geheim – 秘密")],
  [secret, bytes(secret)],
  ["x".repeat(255), bytes("x".repeat(255))],
  ["whsec_", bytes("whsec_")],
  ["whsec_no base64!", bytes("whsec_no base64!")],
];

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function verifiers(key: string | Uint8Array): Verifier[] {
  return typeof key === "string"
    ? [new Standard(key), new Svix(key)]
    : [new Standard(key, { format: "raw" }), new Svix(key, { format: "raw" })];
}

function pickHeaders({ headers }: Received): Record<string, string> {
  return Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, headers.get(name) ?? ""]),
  );
}

const body = '{"id":"1","name":"Zoë – €"}';

/** Returns what arrives under a token. `ago`: milliseconds since it was sent. */
async function sendSigned(company: Company, target: Target, token: string, ago = 0): Promise<Received> {
  company.clock.set(Date.now() - ago);
  target.clear();
  const id = await company.subscribe(target.url, token);
  await company.happens({ body });
  await deliverDue(company.deps);
  await company.change("update webhooks set deleted_at = created_at where id = ?", id);
  return target.received[0]!;
}

function refuses(
  key: string | Uint8Array,
  text: string,
  headers: Record<string, string>,
  why: RegExp,
  what: string,
): void {
  for (const verifier of verifiers(key)) {
    assert.throws(() => verifier.verify(text, headers), { message: why }, what);
  }
}

const mismatch = /No matching signature found/;

withTarget("receivers verify the signature of every kind of token", async (company, target) => {
  for (const [token, key] of tokens) {
    const one = await sendSigned(company, target, token);
    for (const verifier of verifiers(key)) {
      assert.deepEqual(verifier.verify(one.text, pickHeaders(one)), JSON.parse(body));
    }
    const hash = createHash("sha1").update(one.body).update(token).digest("hex");
    assert.equal(one.headers.get("x-service-verification-hash"), hash, token);
  }
});

withTarget(
  "one changed bit of body, id, time, signature or token fails verification",
  async (company, target) => {
    for (const [token, key] of tokens.slice(0, 3)) {
      const one = await sendSigned(company, target, token);
      const headers = pickHeaders(one);
      for (const text of flipBits(one.text)) {
        refuses(key, text, headers, mismatch, text);
        const hash = createHash("sha1").update(text + token).digest("hex");
        assert.notEqual(hash, one.headers.get("x-service-verification-hash"));
      }
      for (const id of flipBits(headers["webhook-id"]!)) {
        refuses(key, one.text, { ...headers, "webhook-id": id }, mismatch, id);
      }
      const [version, signature] = headers["webhook-signature"]!.split(",");
      for (const other of flippedBase64(signature!)) {
        refuses(key, one.text, { ...headers, "webhook-signature": `${version},${other}` }, mismatch, other);
      }
      for (const seconds of [-1, 1, 60]) {
        const at = String(Number(headers["webhook-timestamp"]) + seconds);
        refuses(key, one.text, { ...headers, "webhook-timestamp": at }, mismatch, at);
      }
      const others = typeof key === "string"
        ? flippedBase64(secret).map((other) => `whsec_${other}`)
        : flipBits(token).map(bytes);
      for (const other of others) refuses(other, one.text, headers, mismatch, String(other));
    }
  },
);

withTarget("old requests and requests from a fast clock are rejected", async (company, target) => {
  for (const [token, key] of tokens.slice(0, 2)) {
    const old = await sendSigned(company, target, token, 6 * minute);
    refuses(key, old.text, pickHeaders(old), /too old/, "sent six minutes ago");
    const early = await sendSigned(company, target, token, -6 * minute);
    refuses(key, early.text, pickHeaders(early), /too new/, "sent six minutes ahead");
    const now = String(Math.floor(Date.now() / 1000));
    refuses(key, old.text, { ...pickHeaders(old), "webhook-timestamp": now }, mismatch, "under a newer time");
  }
});

withTarget("the headers of one delivery do not fit another with the same body", async (company, target) => {
  const [[token, key]] = tokens as [typeof tokens[number]];
  const [first, second] = [
    await sendSigned(company, target, token),
    await sendSigned(company, target, token),
  ];
  assert.equal(first.text, second.text);
  const id = second.headers.get("webhook-id")!;
  assert.notEqual(id, first.headers.get("webhook-id"));
  refuses(key, first.text, { ...pickHeaders(first), "webhook-id": id }, mismatch, "the other's id");
});

/** The text with one bit of one of its ASCII characters turned, for every one of them. */
function flipBits(text: string): string[] {
  return [...text].flatMap((character, index) => {
    const code = character.codePointAt(0)!;
    if (code > 127) return [];
    return [1, 2, 4, 8, 16, 32, 64].map((bit) =>
      [...text].with(index, String.fromCharCode(code ^ bit)).join("")
    );
  });
}

/** Base64 of the same length whose bytes differ in one bit. */
function flippedBase64(text: string): string[] {
  const raw = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return [...raw].map((byte, index) =>
    btoa(String.fromCharCode(...raw.with(index, byte ^ (1 << (index % 8)))))
  );
}
