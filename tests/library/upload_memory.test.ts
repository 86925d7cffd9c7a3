/**
 * Memory of a service while files are uploaded to a folder: four at a time, of 10 MiB. `UPLOADS` sets their number.
 */
import assert from "node:assert/strict";
import { memoryPeak, resetPeak, residentMemory } from "../support/memory.ts";
import { inFolder } from "../support/engines.ts";
import { makeFile, makeMultipart } from "../support/pictures.ts";
import { type Served, serveDatabase } from "./served.ts";

const uploads = Number(Deno.env.get("UPLOADS") ?? 12);
const atOnce = 4;
const mebibyte = 1024 * 1024;

Deno.test(`${uploads} multipart uploads of 10 MiB, four at a time, take at most 64 MiB`, () =>
  inFolder(async (folder) => {
    await using service = await serveDatabase(folder);
    const small = await makeBody(mebibyte);
    const large = await makeBody(10 * mebibyte);
    for (let n = 0; n < 4; n++) await upload(service, small);
    const idle = residentMemory(service.pid);
    resetPeak(service.pid);
    let begun = 0;
    await Promise.all(Array.from({ length: atOnce }, async () => {
      while (begun++ < uploads) await upload(service, large);
    }));
    const [before, most] = [idle, memoryPeak(service.pid)].map((bytes) => Math.round(bytes / mebibyte));
    console.log(`${before} MiB idle, at most ${most} MiB`);
    assert.ok(most! - before! <= 64, `${before} MiB idle, at most ${most} MiB`);
  }));

function makeBody(size: number) {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  }
  return makeMultipart({ file: makeFile("a.bin", bytes) });
}

async function upload(
  { url, token }: Served,
  { type, bytes }: Awaited<ReturnType<typeof makeBody>>,
) {
  const reply = await fetch(`${url}/v1/filemanager/files/company`, {
    method: "POST",
    headers: { "Authorization": `Bearer ${token}`, "Content-Type": type },
    body: bytes,
  });
  assert.equal(reply.status, 201, await reply.text());
}
