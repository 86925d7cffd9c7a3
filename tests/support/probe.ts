/**
 * Serves endpoints made for a test: mounted like those of the service, over the database of a started app.
 */
import { Hono } from "hono";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { mount } from "../../src/http/mount.ts";
import { type Reply, send, type TestApp } from "./app.ts";

export interface Probe extends AsyncDisposable {
  readonly url: string;
  call(
    token: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>;
}

export function startProbe({ deps }: TestApp, endpoints: readonly Endpoint[]): Probe {
  const app = new Hono();
  mount(app, deps, endpoints);
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => app.fetch(request),
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  return {
    url,
    call: (token, method, path, body, headers) => send(url + path, method, token, body, headers),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
