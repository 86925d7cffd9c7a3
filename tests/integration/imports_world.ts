/** Imports of the tests: files as forms, and waiting until they end. */
import assert from "node:assert/strict";
import type { Actor, Body, TestApp } from "../support/app.ts";
import { makeFile, makeMultipart } from "../support/pictures.ts";

export interface Form {
  readonly [field: string]: string;
}

/** Sends a file with the fields of the form in front of it. */
export async function send(actor: Actor, text: string | Uint8Array, form: Form, name = "customers.csv") {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : new Uint8Array(text);
  return await actor.call(
    "POST",
    "/v1/imports",
    await makeMultipart({ ...form, file: makeFile(name, bytes) }),
  );
}

/** Imports a file, waits for its end and returns the import. */
export async function importFile(
  app: TestApp,
  actor: Actor,
  text: string | Uint8Array,
  form: Form = {},
): Promise<Body> {
  const made = await send(actor, text, { entity: "contacts", ...form });
  assert.equal(made.status, 201, made.text);
  return await awaitEnd(app, actor, made.body.id);
}

/** Waits until an import is at rest, and returns it. */
export async function awaitEnd(app: TestApp, actor: Actor, id: string): Promise<Body> {
  await app.idle();
  const found = await actor.call("GET", `/v1/imports/${id}`);
  assert.equal(found.status, 200, found.text);
  return found.body;
}

/** Moves an import, and waits for its end. */
export async function moveImport(app: TestApp, actor: Actor, id: string, verb: string): Promise<Body> {
  const answer = await actor.call("POST", `/v1/imports/${id}/${verb}`);
  assert.ok(answer.status === 200 || answer.status === 202, answer.text);
  return await awaitEnd(app, actor, id);
}

/** The faults of an import, as `row column path code`. */
export async function listFaults(actor: Actor, id: string): Promise<string[]> {
  const { body } = await actor.call("GET", `/v1/imports/${id}/errors?per_page=100`);
  return body.data.map((each: Body) => [each.row, each.column, each.path, each.code].join(" "));
}
