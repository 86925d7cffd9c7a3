import assert from "node:assert/strict";
import PostalMime from "postal-mime";
import { joinBase64Lines } from "../../src/platform/mail/base64_lines.ts";
import { workForCompany } from "../../src/platform/on_behalf.ts";
import { directParser } from "../../src/platform/mail/parser.ts";
import { makeThreadParser } from "../../src/platform/mail/parser_thread.ts";

const joinLines = (...all: string[]) => all.join("\r\n");
const lines = (...all: string[]) => new TextEncoder().encode(joinLines(...all));
const base64 = (length: number) =>
  new Uint8Array(length).map((_, n) => n * 7 % 251).toBase64().replaceAll(/(.{76})/g, "$1\r\n");

/** A message with base64 in several parts, and text that looks like base64 in another. */
const message = lines(
  "From: a@example.org",
  "Content-Type: multipart/mixed; boundary=x",
  "",
  "--x",
  "Content-Type: text/plain",
  "",
  "A".repeat(76),
  "B".repeat(76),
  "Content-Transfer-Encoding: base64",
  "is no header here.",
  "--x",
  "content-transfer-encoding: BASE64",
  "Content-Disposition: attachment; filename=a.bin",
  "",
  base64(300_000),
  "",
  "--x",
  "Content-Disposition: attachment; filename=b.bin",
  "Content-Transfer-Encoding: base64",
  "",
  base64(10),
  "--x--",
  "",
);

Deno.test("a message has the same parts when the lines of its base64 are joined", async () => {
  const options = { attachmentEncoding: "arraybuffer" } as const;
  const whole = await PostalMime.parse(message.slice(), options);
  const shorter = joinBase64Lines(message.slice());
  assert.ok(shorter.length < message.length);
  const parsed = await PostalMime.parse(shorter.slice(), options);
  assert.deepEqual(parsed, whole);
  assert.deepEqual(parsed.attachments.map(({ content }) => (content as ArrayBuffer).byteLength), [
    300_000,
    10,
  ]);
  for (
    const bytes of [lines(), lines("x"), lines("Content-Transfer-Encoding: base64"), lines("", "--", "--")]
  ) {
    assert.deepEqual(joinBase64Lines(bytes.slice()), bytes);
  }
});

Deno.test("a large message is parsed in a thread as in the call itself, and several one after the other", async () => {
  const parser = makeThreadParser();
  const [small, ...large] = await Promise.all([
    parser.parse(lines("From: a@example.org", "Subject: Small", "", "Hi")),
    parser.parse(message.slice()),
    parser.parse(message.slice()),
  ]);
  assert.equal(small!.subject, "Small");
  for (const each of large) {
    assert.deepEqual(each!.attachments.map(({ filename }) => filename), ["a.bin", "b.bin"]);
    assert.equal((each!.attachments[0]!.content as ArrayBuffer).byteLength, 300_000);
  }
});

Deno.test("companies take turns with the texts that the thread cleans", async () => {
  const { clean } = makeThreadParser();
  const order: number[] = [];
  const cleanFor = (company: number) =>
    workForCompany(company, () => clean({ kind: "text", html: "<p>Text</p>" })).then(() =>
      order.push(company)
    );
  await Promise.all([1, 1, 1, 1, 2, 3, 3].map(cleanFor));
  assert.deepEqual(order, [1, 1, 2, 3, 1, 3, 1]);
});

Deno.test("a message of many lines and parts makes few blobs, and has the same text and files", async () => {
  const rows = Array.from({ length: 5_000 }, (_, row) => row % 7 === 0 ? "" : `${row};é\ta\rb`);
  const part = joinLines("--x", "Content-Disposition: attachment; filename=a.csv", "", ...rows);
  const whole = joinLines(
    "From: a@example.org",
    "Content-Type: multipart/mixed; boundary=x",
    "",
    "--x",
    "Content-Type: text/plain; charset=utf-8",
    "",
    ...rows,
    part,
    part,
    "--x--",
    "",
  );
  const bytes = new TextEncoder().encode(whole);
  const expected = await PostalMime.parse(bytes.slice(), { attachmentEncoding: "arraybuffer" });
  const { Blob: Original } = globalThis;
  let chunks = 0;
  globalThis.Blob = class extends Original {
    constructor(parts: BlobPart[] = [], options?: BlobPropertyBag) {
      super(parts, options);
      chunks += parts.length;
    }
  };
  try {
    const email = await directParser.parse(bytes);
    assert.ok(chunks < 100, `${chunks} chunks`);
    assert.equal(email!.text, expected.text);
    assert.deepEqual(email!.attachments, expected.attachments);
    assert.equal(email!.attachments.length, 2);
  } finally {
    globalThis.Blob = Original;
  }
});

Deno.test("of a message 10,000 parts and 100 files are read; the content says so, and the original has all", async () => {
  const parseParts = async (parts: number) => {
    const whole = joinLines(
      "From: a@example.org",
      "Content-Type: multipart/mixed; boundary=x",
      "",
      "--x",
      "",
      "Hello",
      ...Array.from({ length: parts }, (_, n) => joinLines("--x", "Content-Type: image/png", "", `${n}`)),
      "--x--",
      "",
    );
    const email = await directParser.parse(lines(whole));
    const { attachments, content, original } = email!;
    const last = attachments.at(-1)!.content as ArrayBuffer;
    return {
      files: attachments.length,
      last: new TextDecoder().decode(last).trim(),
      content,
      original: original && original.byteLength === whole.length,
    };
  };
  assert.deepEqual(await parseParts(100), { files: 100, last: "99", content: "Hello<br>", original: null });
  const notice = "<p>[The message is longer. The file message.eml has all of it.]</p>";
  const cut = { files: 100, last: "99", content: `Hello<br>${notice}`, original: true };
  assert.deepEqual(await parseParts(101), cut);
  const { default: Library } = await import("postal-mime");
  const node = Reflect.getPrototypeOf(Reflect.get(new Library(), "root") as object)!;
  const finalize = Reflect.get(node, "finalize") as () => Promise<void>;
  let parts = 0;
  Reflect.set(node, "finalize", function (this: object) {
    parts++;
    return Reflect.apply(finalize, this, []);
  });
  try {
    assert.deepEqual(await parseParts(12_000), cut);
    assert.ok(parts < 10_100, `${parts} parts were read`);
  } finally {
    Reflect.set(node, "finalize", finalize);
  }
});

Deno.test("mails and texts that wait take turns", async () => {
  const parser = makeThreadParser();
  const done: string[] = [];
  const mail = async (name: string) => {
    await parser.parse(lines("From: a@example.org", "", "Hi"));
    done.push(name);
  };
  const text = async () => {
    assert.equal(await parser.clean({ kind: "text", html: "<b>Hi</b>" }), "<b>Hi</b>");
    done.push("text");
  };
  await Promise.all([mail("first"), mail("second"), mail("third"), text()]);
  assert.deepEqual(done, ["first", "second", "text", "third"]);
});
