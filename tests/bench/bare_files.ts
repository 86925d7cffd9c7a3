/**
 * The upper bound of uploads and downloads: a Hono app that decodes a file, writes it to a folder with a
 * sync, and reads it. Argument: the folder.
 */
import { mkdirSync } from "node:fs";
import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Hono } from "hono";
import { listen } from "../../src/entry/listen.ts";
import { memoryLog } from "../support/ports.ts";

const folder = Deno.args[0]!;
mkdirSync(folder, { recursive: true });
const download = join(folder, "download");
await writeFile(download, crypto.getRandomValues(new Uint8Array(65_536)));
for (let size = 65_536; size < 1024 * 1024; size *= 2) {
  const half = await readFile(download);
  await writeFile(download, half, { flag: "a" });
}

async function store(bytes: Uint8Array): Promise<void> {
  const file = await open(join(folder, crypto.randomUUID()), "w");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

const app = new Hono();
app.post("/v1/filemanager/files/company", async (c) => {
  const { file } = await c.req.parseBody();
  if (!(file instanceof File)) return c.text("no file", 400);
  await store(await file.bytes());
  return c.json({ size: file.size }, 201);
});
app.post("/v1/files", async (c) => {
  const { data } = await c.req.json<{ data: string }>();
  const bytes = Uint8Array.fromBase64(data);
  await store(bytes);
  return c.json({ size: bytes.length }, 201);
});
app.get("/files/*", async (c) => c.body(await readFile(download)));

const place = { host: "127.0.0.1", port: 0, maxConnections: 1_000, light: true };
const { url } = await listen((request) => app.fetch(request), place, memoryLog());
console.log(JSON.stringify({ event: "listening", url }));
