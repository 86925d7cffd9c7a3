/** Subscriptions of a killed service: two permanent ones, and one per start that is deleted during writes. */
import assert from "node:assert/strict";
import { send } from "../support/app.ts";
import { reliable, type Targets } from "./kill_target.ts";

export const lasting = [reliable, "/unreliable"];

export interface Passing {
  readonly path: string;
  readonly id: number;
}

const body = (url: string) => ({ target_url: url, webhook_event: "*", verification_token: "whisper" });

/** Subscribes a path for this start, as an admin. */
export async function subscribe(
  url: string,
  token: string,
  targets: Targets,
  path: string,
): Promise<Passing> {
  const made = await send(`${url}/v1/webhooks`, "POST", token, body(targets.url + path));
  assert.equal(made.status, 201, made.text);
  return { path, id: made.body.id };
}

/** Deletes the subscription. Returns true if the process answered before it died. */
export async function unsubscribe(
  url: string,
  token: string,
  targets: Targets,
  { path, id }: Passing,
): Promise<boolean> {
  let status: number;
  try {
    status = (await send(`${url}/v1/webhooks/${id}`, "DELETE", token)).status;
  } catch {
    return false;
  }
  // 404: the process died between the deletion and the answer.
  assert.ok(status === 204 || status === 404, String(status));
  targets.deleted(path);
  return true;
}
