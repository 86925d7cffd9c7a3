/** Real bodies of every event for the webhooks guide. As a program it writes them again. */
import assert from "node:assert/strict";
import { type EventName, eventNames } from "../../src/core/events.ts";
import { causes } from "../delivery/events/causes.ts";
import { eventsWorld } from "../delivery/events/world.ts";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { startTarget } from "../support/listener.ts";

export type Payloads = Readonly<Record<EventName, Body>>;

/** Options of a choice that the guide shows. */
const shownOptions = 2;

/** Causes each event and takes its body from the delivery. */
export async function recordPayloads(app: TestApp): Promise<Payloads> {
  const world = await eventsWorld(app);
  const target = startTarget();
  try {
    await world.make(world.admin, "/v1/webhooks", {
      target_url: target.url,
      webhook_event: "*",
    });
    const bodies: Partial<Record<EventName, Body>> = {};
    for (const name of eventNames) {
      const change = await Object.values(causes[name])[0]!(world);
      await app.idle();
      target.clear();
      await change.run();
      const one = await target.waitFor(({ headers }) => headers.get("x-service-event") === name);
      await app.idle();
      bodies[name] = cut(
        JSON.parse(one.text.replaceAll(app.url, "https://crm.example.com")),
      );
    }
    return bodies as Payloads;
  } finally {
    await target.close();
  }
}

/** Shortens long lists of options to the first ones. */
function cut(body: Body): Body {
  return JSON.parse(
    JSON.stringify(
      body,
      (key, value) => key === "options" && Array.isArray(value) ? value.slice(0, shownOptions) : value,
    ),
  );
}

/** Returns every key with its path; the items of a list are merged. Null matches anything. */
export function describeShape(body: Body, path = ""): string[] {
  if (Array.isArray(body)) {
    return [...new Set(body.flatMap((item) => describeShape(item, `${path}[]`)))]
      .sort();
  }
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap((
    [key, value],
  ) => [`${path}.${key}`, ...describeShape(value, `${path}.${key}`)])
    .sort();
}

if (import.meta.main) {
  await using app = await startApp();
  const payloads = await recordPayloads(app);
  assert.deepEqual(Object.keys(payloads), [...eventNames]);
  const entries = Object.entries(payloads).map((entry) => entry.map((part) => JSON.stringify(part)).join(":"))
    .join(",\n");
  await Deno.writeTextFile(
    new URL("../../src/docs/payloads.json", import.meta.url),
    `{\n${entries}\n}\n`,
  );
}
