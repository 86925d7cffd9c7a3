/** Runs the calls of a batch one after the other, each through the whole pipeline. */
import { type Answer, ok } from "../../core/answer.ts";
import { fieldError, invalid, Problem } from "../../core/errors.ts";
import { Json } from "../../core/json.ts";
import { Turns } from "../../core/turns.ts";
import type { OuterCall } from "../../http/endpoint.ts";
import { type BatchAnswers, type BatchBody, type BatchRequest, takenHeaders } from "./body.ts";

/** Bytes of answers after which the rest is not run. */
const mostBytes = 16 * 1024 * 1024;
/** Keys of batches. With the number of a call they are keys of the usual form. */
const keyForm = /^[\x21-\x7e]{1,250}$/;

/** Headers of the batch that its calls do not have: those of its own body, of its answer and of its own conditions. */
const ownHeaders = [
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "range",
  "transfer-encoding",
  ...takenHeaders.map((name) => name.toLowerCase()),
];

const notRun = new Problem(
  424,
  "not_run",
  "An earlier call failed, the answers are too long, or the caller has gone.",
);

const utf8 = new TextDecoder();

/** Throws 422 for a key that cannot have a number added. */
export async function runBatch(
  outer: OuterCall,
  { requests, stop_on_error }: BatchBody,
): Promise<Answer<BatchAnswers>> {
  const key = outer.request.headers.get("idempotency-key");
  if (key !== null && !keyForm.test(key)) {
    const rule = "Must be 1 to 250 visible ASCII characters: each call adds its number.";
    throw invalid(fieldError("header.Idempotency-Key", "format", rule));
  }
  const written: string[] = [];
  let size = 0;
  let isStopped = false;
  // With a database in this process, a call may never wait.
  const turns = new Turns();
  for (const [n, request] of requests.entries()) {
    await turns.next();
    if (isStopped || size >= mostBytes || outer.request.signal.aborted) {
      const refused = outer.refuse(notRun);
      written.push(writeResponse(request, refused, await refused.text()));
      continue;
    }
    const response = await outer.send(
      makeRequest(outer.request, request, key === null ? null : `${key}.${n}`),
    );
    const bytes = await response.arrayBuffer();
    size += bytes.byteLength;
    written.push(writeResponse(request, response, utf8.decode(bytes)));
    isStopped = stop_on_error && response.status >= 400;
  }
  const pieces = written.flatMap((one, n) => n === 0 ? [one] : [",", one]);
  return ok(new Json<BatchAnswers>(['{"responses":[', ...pieces, "]}"]));
}

/** The request that the call would be by itself. */
function makeRequest(
  outer: Request,
  { method, path, body, headers: sent }: BatchRequest,
  key: string | null,
): Request {
  const headers = new Headers(outer.headers);
  for (const name of ownHeaders) headers.delete(name);
  if (key !== null) headers.set("idempotency-key", key);
  for (const [name, value] of Object.entries(sent ?? {})) {
    if (takenHeaders.some((taken) => taken.toLowerCase() === name.toLowerCase())) {
      headers.set(name, String(value));
    }
  }
  const hasBody = body !== undefined && method !== "GET";
  if (hasBody) headers.set("content-type", "application/json");
  return new Request(new URL(path, outer.url), {
    method,
    headers,
    body: hasBody ? JSON.stringify(body) : null,
  });
}

/** The JSON of an answer. A body that is JSON stays as it is, to the byte. */
function writeResponse({ id }: BatchRequest, response: Response, text: string): string {
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/.test(response.headers.get("content-type") ?? "");
  const body = text === "" ? "null" : isJson ? text : JSON.stringify(text);
  const head = JSON.stringify({
    id: id ?? null,
    status: response.status,
    headers: Object.fromEntries(response.headers),
  });
  return `${head.slice(0, -1)},"body":${body}}`;
}
