/** The result of a verb; `http/endpoint.ts` makes a response from it. */
import { Json } from "./json.ts";

export interface Answer<T = unknown> {
  readonly status: 200 | 201 | 202 | 204 | 303;
  readonly body: T | Json<T> | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** A body without an end, in place of `body`. */
  readonly stream?: ReadableStream<Uint8Array>;
  /** Top-level keys of the body whose values are secret. The stored answer seals them. */
  readonly secrets?: readonly string[];
}

/** The answer 200. */
export function ok<T>(body: T | Json<T>, headers?: Record<string, string>): Answer<T> {
  return headers ? { status: 200, body, headers } : { status: 200, body };
}

/** A 200 whose body is a document instead of JSON. `type`: its media type. */
export function document(type: string, text: string, headers: Record<string, string> = {}): Answer<string> {
  return { status: 200, body: new Json<string>(text), headers: { "Content-Type": type, ...headers } };
}

/** The answer 201. */
export function created<T>(body: T | Json<T>): Answer<T> {
  return { status: 201, body };
}

/** The answer 202. */
export function accepted<T = never>(body: T | Json<T> | null = null): Answer<T> {
  return { status: 202, body };
}

export const noContent: Answer<never> = { status: 204, body: null };

/** A number that only the batch knows; new bodies have 0 under the key until then. */
export interface Late {
  readonly key: string;
  /** An SQL expression without parameters. */
  readonly sql: string;
}
