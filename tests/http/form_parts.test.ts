/** Forms are read as they arrive, in pieces of any size. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Problem } from "../../src/core/errors.ts";
import { readParts } from "../../src/http/form_parts.ts";
import { makeMultipart } from "../support/pictures.ts";

const limit = 1_000_000;

interface Sent {
  readonly fields: [string, string][];
  readonly files: [string, string, string][];
}

/** A request whose body arrives in pieces of this size. */
function inPieces(type: string, bytes: Uint8Array, size: number, breaksOff = false): Request {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return breaksOff ? controller.error(new Error("reset")) : controller.close();
      controller.enqueue(bytes.slice(at, at += size));
    },
  });
  return new Request("http://localhost/", { method: "POST", headers: { "Content-Type": type }, body });
}

async function read(
  request: Request,
  most = limit,
  own?: AsyncIterable<Uint8Array>,
  eachChunk = () => Promise.resolve(),
): Promise<Sent> {
  const sent: Sent = { fields: [], files: [] };
  await readParts(request, {
    limit: most,
    withinMs: 5_000,
    onField: (name, value) => void sent.fields.push([name, value]),
    async onFile(name, filename, bytes) {
      // A file may be read completely before the one that came first.
      const place = sent.files.push([name, filename, ""]) - 1;
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      for await (const chunk of bytes) {
        await eachChunk();
        chunks.push(new Uint8Array(chunk));
      }
      sent.files[place] = [name, filename, await new Blob(chunks).text()];
    },
  }, own);
  return sent;
}

const readCode = async (reading: Promise<unknown>) => {
  const error = await reading.then(() => null, (error) => error);
  assert.ok(error instanceof Problem, String(error));
  return [error.status, error.code];
};

const text = "first line\r\n--not-the-boundary\r\nlast".repeat(50);
const form = await makeMultipart({
  note: "Grüße",
  file: new File([text], 'C:\\a "b".txt'.replaceAll('"', "'"), { type: "text/plain" }),
  empty: new File([], "empty"),
  other: "x",
});

Deno.test("a form reads the same in pieces of any size, with names as sent", async () => {
  const expected = {
    fields: [["note", "Grüße"], ["other", "x"]],
    files: [["file", "C:\\a 'b'.txt", text], ["empty", "empty", ""]],
  };
  for (const size of [1, 2, 7, 63, 1_000, 1_000_000]) {
    assert.deepEqual(await read(inPieces(form.type, form.bytes, size)), expected, `pieces of ${size}`);
  }
});

Deno.test("chunks that belong to the reading are freed as a file is read, and none too early", async () => {
  const almost = "\r\n--\r\n-----------a-boundar\r".repeat(200) +
    "a line\n".repeat(3_000);
  const parts = {
    file: new File([almost], "one"),
    note: "x",
    other: new File([almost, "end"], "two"),
  };
  const { type, bytes } = await makeMultipart(parts);
  const expected = {
    fields: [["note", "x"]],
    files: [["file", "one", almost], ["other", "two", `${almost}end`]],
  };
  for (const size of [3, 11, 97, 1_000, 3_000]) {
    const sent: Buffer[] = [];
    const own = ReadableStream.from((function* () {
      for (let at = 0; at < bytes.length; at += size) {
        sent.push(Buffer.from(bytes.slice(at, at + size).buffer));
        yield sent.at(-1)!;
      }
    })());
    const request = new Request("http://localhost/", {
      method: "POST",
      headers: { "Content-Type": type },
    });
    const slow = () => new Promise<void>((resolve) => setTimeout(resolve));
    assert.deepEqual(
      await read(request, limit, own, size < 1_000 ? undefined : slow),
      expected,
      `pieces of ${size}`,
    );
    const left = sent.filter(({ byteLength }) => byteLength > 0).length;
    // Only the pieces remain in which parts begin or end, or a file ends.
    if (size >= 1_000) {
      assert.ok(
        left <= 6 && sent.length > 15,
        `${left} of ${sent.length} are left`,
      );
    }
  }
});

Deno.test("a chunk that shares its memory is left alone", async () => {
  const shared = form.bytes.slice();
  const own = ReadableStream.from((function* () {
    for (let at = 0; at < shared.length; at += 100) {
      yield shared.subarray(at, at + 100);
    }
  })());
  const request = new Request("http://localhost/", {
    method: "POST",
    headers: { "Content-Type": form.type },
  });
  assert.equal((await read(request, limit, own)).files.length, 2);
  assert.deepEqual(shared, form.bytes);
});

Deno.test("a form that ends or breaks off at any byte is 400, and its readers get the error", async () => {
  for (let end = 1; end < form.bytes.length - 4; end += 37) {
    for (const breaksOff of [false, true]) {
      const request = inPieces(form.type, form.bytes.slice(0, end), 100, breaksOff);
      assert.deepEqual(await readCode(read(request)), [400, "malformed_multipart"], `${end} ${breaksOff}`);
    }
  }
});

Deno.test("a body past its limit is 413", async () => {
  assert.deepEqual(await readCode(read(inPieces(form.type, form.bytes, 100), form.bytes.length - 1)), [
    413,
    "payload_too_large",
  ]);
  assert.equal((await read(inPieces(form.type, form.bytes, 100), form.bytes.length)).files.length, 2);
});

Deno.test("fields take at most 64 KiB together, however large a file may be", async () => {
  const [most, text] = [64 * 1024, (size: number) => "n".repeat(size)];
  const fits = await makeMultipart({ one: text(most - 1), two: "x", file: new File(["x"], "x") });
  assert.equal((await read(inPieces(fits.type, fits.bytes, 1_000))).fields.length, 2);
  const large: Record<string, string>[] = [{ one: text(9 * most) }, { one: text(most), two: "x" }];
  for (const fields of large) {
    const { type, bytes } = await makeMultipart({ ...fields, file: new File(["x"], "x") });
    for (const size of [1_000, 500_000]) {
      const request = inPieces(type, bytes, size);
      assert.deepEqual(await readCode(read(request)), [413, "payload_too_large"]);
    }
  }
});

Deno.test("an error of the reader of a file ends the reading", async () => {
  const cause = new Error("no room");
  const reading = readParts(inPieces(form.type, form.bytes, 10), {
    limit,
    withinMs: 5_000,
    onField: () => {},
    onFile: () => Promise.reject(cause),
  });
  await assert.rejects(reading, (error) => error === cause);
});

Deno.test("a body that stops arriving is 408 and ends the reading of its file", async () => {
  let ended: unknown = null;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(form.bytes.slice(0, 300)),
  });
  const request = new Request("http://localhost/", {
    method: "POST",
    headers: { "Content-Type": form.type },
    body,
  });
  const reading = readParts(request, {
    limit,
    withinMs: 50,
    onField: () => {},
    async onFile(_name, _filename, bytes) {
      try {
        for await (const _ of bytes);
      } catch (error) {
        ended = error;
        throw error;
      }
    },
  });
  assert.deepEqual(await readCode(reading), [408, "request_timeout"]);
  assert.ok(ended instanceof Problem);
});
