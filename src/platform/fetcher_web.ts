/** Requests with the runtime's `fetch`, for runtimes such as workerd that resolve names themselves. */

import { checkTarget } from "./egress.ts";
import {
  type Answered,
  defaultMaxBytes,
  defaultTimeoutMs,
  type Fetcher,
  FetchFailed,
  type Get,
} from "./fetcher.ts";

/** Returns a fetcher over the global `fetch`, which cannot check resolved addresses. */
export function makeWebFetcher({ allowPrivate }: { allowPrivate: boolean }): Fetcher {
  return {
    post: (url, post) => sendRequest(url, post, { method: "POST", body: post.body }, allowPrivate),
    get: (url, get) => sendRequest(url, get, { method: "GET" }, allowPrivate),
  };
}

async function sendRequest(
  url: string,
  { headers, timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes }: Get,
  init: RequestInit,
  allowPrivate: boolean,
): Promise<Answered> {
  const started = performance.now();
  const reason = checkTarget(url, allowPrivate);
  if (reason !== null) throw new FetchFailed("refused", `the address ${reason}`, 0);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  try {
    const response = await fetch(url, { ...init, headers, redirect: "manual", signal: deadline.signal });
    const bytes = await readBeginning(response.body, maxBytes);
    const { status, headers: answered } = response;
    const bodyExcerpt = new TextDecoder().decode(bytes);
    return { status, headers: answered, bodyExcerpt, bytes, durationMs: performance.now() - started };
  } catch (error) {
    if (deadline.signal.aborted) {
      throw new FetchFailed("timeout", `no answer within ${timeoutMs} ms`, performance.now() - started);
    }
    const said = error instanceof Error ? error.message.split("\n", 1)[0] : "";
    throw new FetchFailed(
      "unreachable",
      `the target cannot be reached: ${said}`,
      performance.now() - started,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Reads up to this many bytes; less if the body breaks off or the deadline passes. */
async function readBeginning(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let left = maxBytes;
  try {
    while (left > 0) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(new Uint8Array(value.subarray(0, left)));
      left -= value.length;
    }
    await reader.cancel();
  } catch {
    // The status is known; a missing part of the body changes nothing.
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
