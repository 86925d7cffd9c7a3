/** Calls from other addresses of this machine, which owns all of 127.0.0.0/8. */
import { request } from "node:http";
import type { Reply } from "./app.ts";

/** One HTTP call over a connection that comes from `peer`, such as `127.0.0.2` or `::1`. */
export function sendFrom(
  peer: string,
  url: string,
  method: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const { hostname, port, pathname, search } = new URL(url);
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const call = request({
      host: hostname.replaceAll(/[[\]]/g, ""),
      port,
      localAddress: peer,
      path: pathname + search,
      method,
      agent: false,
      headers: {
        ...(text === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
    }, (answer) => {
      const chunks: Uint8Array[] = [];
      answer.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const received = new TextDecoder().decode(new Uint8Array(chunks.flatMap((chunk) => [...chunk])));
        const found = new Headers();
        for (const [name, value] of Object.entries(answer.headers)) {
          for (const each of [value ?? []].flat()) found.append(name, each);
        }
        const isJson = found.get("content-type")?.includes("json") ?? false;
        resolve({
          status: answer.statusCode ?? 0,
          headers: found,
          text: received,
          body: isJson && received !== "" ? JSON.parse(received) : undefined,
        });
      });
    });
    call.on("error", reject);
    call.end(text);
  });
}
