/** Requests with the runtime's `fetch`, for runtimes such as workerd that resolve names themselves. */

import { checkTarget } from "./egress.ts";
import {
  type Answered,
  DEFAULT_MAX_BYTES,
  DEFAULT_TIMEOUT_MS,
  type Fetcher,
  FetchFailed,
  type Get,
} from "./fetcher.ts";

export function webFetcher({ allowPrivate }: { allowPrivate: boolean }): Fetcher {
  return {
    post: (url, post) => sent(url, post, { method: "POST", body: post.body }, allowPrivate),
    get: (url, get) => sent(url, get, { method: "GET" }, allowPrivate),
  };
}

async function sent(
  url: string,
  { headers, timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = DEFAULT_MAX_BYTES }: Get,
  init: RequestInit,
  allowPrivate: boolean,
): Promise<Answered> {
  const started = performance.now();
  const passed = () => Math.round(performance.now() - started);
  const reason = checkTarget(url, allowPrivate);
  if (reason !== null) throw new FetchFailed("refused", `the address ${reason}`, 0);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  try {
    const response = await fetch(url, { ...init, headers, redirect: "manual", signal: deadline.signal });
    const bodyExcerpt = await excerpt(response.body, maxBytes);
    return { status: response.status, headers: response.headers, bodyExcerpt, durationMs: passed() };
  } catch (error) {
    if (deadline.signal.aborted) {
      throw new FetchFailed("timeout", `no answer within ${timeoutMs} ms`, passed());
    }
    const said = error instanceof Error ? error.message.split("\n", 1)[0] : "";
    throw new FetchFailed("unreachable", `the target cannot be reached: ${said}`, passed());
  } finally {
    clearTimeout(timer);
  }
}

/** Reads up to this many bytes; less if the body breaks off or the deadline passes. */
async function excerpt(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let left = maxBytes;
  try {
    while (left > 0) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.length;
    }
    await reader.cancel();
  } catch {
    // The status has come; what is missing of the body changes nothing.
  }
  return text + decoder.decode();
}
