/** Calls of the file manager, for its tests. */
import assert from "node:assert/strict";
import type { Actor, Reply } from "../support/app.ts";
import { makeFile, makeMultipart } from "../support/pictures.ts";

const encodeText = (text: string) => new TextEncoder().encode(text);

/** Uploads below `/v1/filemanager/files/`. */
export async function uploadReply(
  actor: Actor,
  place: string,
  name = "a.txt",
  text = "Hello!",
): Promise<Reply> {
  const form = await makeMultipart({ file: makeFile(name, encodeText(text)) });
  return await actor.call("POST", `/v1/filemanager/files/${place}`, form);
}

export async function upload(
  actor: Actor,
  place: string,
  name?: string,
  text?: string,
): Promise<Reply["body"]> {
  const reply = await uploadReply(actor, place, name, text);
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

export async function makeFolder(actor: Actor, name: string, more: object): Promise<Reply["body"]> {
  const reply = await actor.call("POST", "/v1/filemanager/folders", { name, ...more });
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

/** Names of the folders and of the files. */
export function listShown({ status, body, text }: Reply): [string[], string[]] {
  assert.equal(status, 200, text);
  const { folders, files } = body.data ?? body;
  const names = (items: { name: string }[]) => items.map(({ name }) => name);
  return [names(folders), names(files)];
}

export function readRefusal({ status, body }: Reply): unknown[] {
  const errors = (body?.errors ?? []).map(({ path, code }: { path: string; code: string }) =>
    `${path} ${code}`
  );
  return [status, ...(errors.length > 0 ? errors : [body?.code])];
}
