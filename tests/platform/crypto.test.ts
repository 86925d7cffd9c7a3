import assert from "node:assert/strict";
import {
  decodeBase64,
  hashPassword,
  hashWithKey,
  hmacSha256Base64,
  hmacSha256Hex,
  open,
  seal,
  SealBroken,
  sha1Hex,
  sha256,
  timingSafeEqualText,
  verifyPassword,
} from "../../src/platform/crypto.ts";

const key = new Uint8Array(32).fill(7);

Deno.test("hashes are those of the published test vectors", () => {
  assert.equal(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(sha1Hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  assert.equal(sha1Hex(new TextEncoder().encode("ü")), sha1Hex("ü"));
  assert.equal(
    hmacSha256Base64("Jefe", "what do ya want for nothing?"),
    "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=",
  );
});

Deno.test("a keyed hash is the HMAC of its purpose and text, with a key of any length", () => {
  for (const bytes of [1, 32, 64, 65, 200]) {
    const key = Uint8Array.from({ length: bytes }, (_, index) => index * 7);
    for (const text of ["", "Ünï", "x".repeat(1_000)]) {
      // Twice, since the second hash uses what the first has kept of the key.
      assert.equal(hashWithKey(key, "purpose", text), hmacSha256Hex(key, `purpose\n${text}`));
      assert.equal(hashWithKey(key, "purpose", text), hmacSha256Hex(key, `purpose\n${text}`));
    }
    assert.notEqual(hashWithKey(key, "one", "text"), hashWithKey(key, "other", "text"));
  }
});

Deno.test("a password is stored as scrypt$N$r$p$salt$hash with a new salt each time", async () => {
  const [one, two] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
  assert.match(one, /^scrypt\$16384\$8\$1\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(one, two);
  assert.equal(await verifyPassword("correct horse", one), true);
  assert.equal(await verifyPassword("correct horsf", one), false);
  assert.equal(await verifyPassword("", one), false);
});

Deno.test("a password matches in every Unicode form of its accents", async () => {
  assert.equal(await verifyPassword("pa\u0301ssword", await hashPassword("p\u00e1ssword")), true);
});

Deno.test("a password hashed at another cost still matches", async () => {
  // RFC 7914: scrypt("pleaseletmein", "SodiumChloride", 16384, 8, 1), its first 32 bytes
  const hash = "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2";
  const base64 = btoa(String.fromCharCode(...(hash.match(/../g) ?? []).map((byte) => parseInt(byte, 16))));
  const salt = btoa("SodiumChloride");
  assert.equal(await verifyPassword("pleaseletmein", `scrypt$16384$8$1$${salt}$${base64}`), true);
  assert.equal(await verifyPassword("pleaseletmein", `scrypt$8192$8$1$${salt}$${base64}`), false);
});

Deno.test("nothing matches a missing or malformed hash", async () => {
  for (const stored of [null, "", "plain", "scrypt$16384$8$1$$", "bcrypt$16384$8$1$AAAA$AAAA"]) {
    assert.equal(await verifyPassword("", stored), false, String(stored));
  }
});

Deno.test("hashing a password leaves the event loop free", async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await Promise.all([hashPassword("a"), hashPassword("b"), hashPassword("c")]);
  clearInterval(timer);
  assert.ok(ticks > 0);
});

Deno.test("a sealed text opens under its key and is different each time", () => {
  for (const text of ["", "whsec_secret", "ü€😀".repeat(1000)]) {
    const sealed = seal(key, text);
    assert.match(sealed, /^[A-Za-z0-9+/]+=*$/);
    assert.notEqual(sealed, seal(key, text));
    assert.equal(open(key, sealed), text);
  }
});

Deno.test("a sealed text does not open under another key, cut short, or changed in any byte", () => {
  const sealed = seal(key, "secret");
  assert.throws(() => open(new Uint8Array(32).fill(8), sealed), SealBroken);
  assert.throws(() => open(key, ""), SealBroken);
  assert.throws(() => open(key, sealed.slice(0, -8)), SealBroken);
  const bytes = Uint8Array.from(atob(sealed), (char) => char.charCodeAt(0));
  for (let at = 0; at < bytes.length; at++) {
    const changed = bytes.with(at, (bytes[at] ?? 0) ^ 1);
    assert.throws(() => open(key, btoa(String.fromCharCode(...changed))), SealBroken);
  }
});

Deno.test("texts compare equal only when they are", () => {
  assert.equal(timingSafeEqualText("abc", "abc"), true);
  assert.equal(timingSafeEqualText("abc", "abcd"), false);
  assert.equal(timingSafeEqualText("", "a"), false);
});

Deno.test("base64 of the standard alphabet with its padding is decoded, with line breaks, and no other text", () => {
  const decode = (text: string) => decodeBase64(text)?.join() ?? null;
  for (const [text, bytes] of [["", ""], ["QQ==", "65"], ["QUI=", "65,66"], ["QUJD", "65,66,67"]]) {
    assert.equal(decode(text!), bytes);
  }
  assert.equal(decode("+/+/"), "251,255,191");
  // Surplus bits of the last character count for nothing.
  assert.deepEqual(["QR==", "QUJ="].map(decode), ["65", "65,66"]);
  assert.equal(decode("QUJD\r\nQUJD\n\n"), "65,66,67,65,66,67");
  for (
    const text of [
      "QQ",
      "QQ=",
      "Q===",
      "====",
      "QQ==QQ==",
      "QUJD    ",
      "QU JDQQ=",
      "    ",
      "-_-_",
      "QUJ\u00e9",
    ]
  ) {
    assert.equal(decodeBase64(text), null, JSON.stringify(text));
  }
});
