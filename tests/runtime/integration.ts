/** The feed, its stream, a batch and the metrics in workerd, over a remote database. */
import assert from "node:assert/strict";
import { type Actor, type Body, send } from "../support/app.ts";
import { readStreamEvents } from "../support/event_stream.ts";
import { type InWorkerd, metricsToken } from "./in_workerd.ts";

export async function checkFeed({ worker }: InWorkerd, admin: Actor): Promise<void> {
  const call = (method: string, path: string, body?: object) =>
    send(`${worker.url}/v1${path}`, method, admin.token, body);
  const nameRecord = (name: string) => ({ fixed_fields: [{ name: "name", value: name }] });
  const names = ({ data }: Body) =>
    data.map(({ event, data: record }: Body) => `${event} ${record.fixed_fields[0].value}`);

  const start = await call("GET", "/events?after=now");
  assert.deepEqual([start.status, start.body.data, start.body.more], [200, [], false], start.text);
  const { status, body: ada } = await call("POST", "/accounts", nameRecord("Ada Ltd"));
  assert.equal(status, 201);
  const page = await call("GET", `/events?after=${start.body.next}`);
  assert.deepEqual(names(page.body), ["account_created Ada Ltd"]);
  assert.deepEqual(page.body.data[0].data, ada);

  // A reader that waits polls for itself, and is answered by what happens meanwhile.
  const waiting = call("GET", `/events?after=${page.body.next}&wait=20`);
  assert.equal((await call("PUT", `/accounts/${ada.id}`, nameRecord("Ada Byron Ltd"))).status, 200);
  const waited = await waiting;
  assert.deepEqual(names(waited.body), ["account_updated Ada Byron Ltd"], waited.text);

  const response = await fetch(`${worker.url}/v1/events/stream?after=${start.body.next}`, {
    headers: { Authorization: `Bearer ${admin.token}` },
  });
  assert.deepEqual([response.status, response.headers.get("content-type")], [
    200,
    "text/event-stream; charset=utf-8",
  ]);
  const streamed: Body[] = [];
  for await (const { data } of readStreamEvents(response)) {
    streamed.push(data);
    if (streamed.length === 2) await call("POST", "/accounts", nameRecord("Ben Ltd"));
    if (streamed.length === 3) break;
  }
  assert.deepEqual(names({ data: streamed }), [
    "account_created Ada Ltd",
    "account_updated Ada Byron Ltd",
    "account_created Ben Ltd",
  ]);

  const batch = await call("POST", "/batch", {
    requests: [
      { id: "one", method: "GET", path: `/v1/accounts/${ada.id}` },
      { method: "POST", path: "/v1/accounts", body: nameRecord("Cleo Ltd") },
      { method: "GET", path: "/v1/accounts/x" },
    ],
  });
  assert.deepEqual(
    batch.body.responses.map(({ id, status }: Body) => `${id} ${status}`),
    ["one 200", "null 201", "null 404"],
  );
}

export async function checkMetrics({ worker }: InWorkerd): Promise<void> {
  const read = (token: string | null) => send(`${worker.url}/metrics`, "GET", token);
  for (const token of [null, "operation"]) assert.equal((await read(token)).status, 401);
  const { status, headers, text } = await read(metricsToken);
  assert.deepEqual(
    [status, headers.get("content-type")],
    [200, "text/plain; version=0.0.4; charset=utf-8"],
    text,
  );
  // Counters would be those of the isolate that happens to answer.
  const names = [...text.matchAll(/^# TYPE (\w+) \w+$/gm)].map(([, name]) => name);
  assert.deepEqual(names, ["wayline_waiting", "wayline_late_seconds", "wayline_database_size_bytes"]);
  const size = /^wayline_database_size_bytes (\d+)$/m.exec(text);
  assert.ok(Number(size?.[1]) > 100_000, text);
  assert.match(text, /^wayline_waiting\{kind="webhook_deliveries"\} \d+$/m);
}
