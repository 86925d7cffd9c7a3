/** Uploads files of 10 MiB from 20 connections. Arguments: the service's address, a token, and for how many milliseconds. */
import { makeFile, makeMultipart } from "../support/pictures.ts";

const [url, token, forMs] = Deno.args;
const content = new Uint8Array(10 * 1024 * 1024);
for (let at = 0; at < content.length; at += 65_536) crypto.getRandomValues(content.subarray(at, at + 65_536));
const { type, bytes } = await makeMultipart({ file: makeFile("a.bin", content) });
const until = performance.now() + Number(forMs);
let uploads = 0;
await Promise.all(Array.from({ length: 20 }, async () => {
  while (performance.now() < until) {
    const headers = { "Authorization": `Bearer ${token}`, "Content-Type": type };
    const reply = await fetch(`${url}/v1/filemanager/files/company`, {
      method: "POST",
      headers,
      body: bytes,
    });
    if (reply.status !== 201) throw new Error(await reply.text());
    await reply.body!.cancel();
    uploads++;
  }
}));
console.log(`${uploads} uploads`);
